// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import static io.shapeshift.druid.segment.TestSegments.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.lang.reflect.Executable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.validation.Validation;
import org.apache.druid.client.indexing.ClientCompactionTaskQueryTuningConfig;
import org.apache.druid.error.DruidException;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.guice.IndexingServiceTuningConfigModule;
import org.apache.druid.guice.JsonConfigurator;
import org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexTuningConfig;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.timeline.CompactionState;
import org.apache.druid.timeline.DataSegment;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options in an indexSpec, on all the ways that Druid sends an indexSpec. */
class IndexSpecTest {
  private static final EncodingStrategy DEFAULT_SHAPE_SHIFT =
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
  private static final EncodingStrategy SMALLER =
      EncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.LARGE);

  private static final ObjectMapper TASKS_JSON =
      JSON.copy().registerModules(new IndexingServiceTuningConfigModule().getJacksonModules());

  @AfterEach
  void forgetSystemDefault() {
    setSystemDefault(IndexSpec.builder().build());
  }

  /** What Druid does at its start with {@code druid.indexing.formats.indexSpec}. */
  private static void setSystemDefault(IndexSpec spec) {
    new BuiltInTypesModule()
        .initDimensionHandlerAndMvHandlingMode(new DefaultColumnFormatConfig(null, null, spec, null));
  }

  private static IndexSpec read(String json) throws JsonProcessingException {
    return JSON.readValue(json, IndexSpec.class);
  }

  private static IndexSpec read(String property, String option) throws JsonProcessingException {
    return read("{\"" + property + "\": " + option.replace('\'', '"') + "}");
  }

  /**
   * The options in JSON. Tests write them as {@code all=S int=C a.long=M a.hash=yes}: for all types or for one, of the
   * table or of a column, the default of shape-shifting (S), the same with the target smaller (M), or compression (C);
   * and whether a column has a hash index, or a text index by {@code a.text=yes} (yes, no).
   */
  private static String options(String options) {
    final ObjectNode json = JSON.createObjectNode();
    for (String option : options.split(" ")) {
      if (!option.isEmpty()) {
        final String name = option.substring(0, option.indexOf('='));
        final int dot = name.indexOf('.');
        final ObjectNode owner = dot < 0 ? json : json.withObject("/columns").withObject("/" + name.substring(0, dot));
        final String what = name.substring(dot + 1);
        switch (option.substring(option.indexOf('=') + 1)) {
          case "S" -> owner.putObject(property(what)).put("strategy", "shapeshift");
          case "M" ->
              owner.putObject(property(what)).put("strategy", "shapeshift").put("optimizationTarget", "smaller");
          case "C" -> owner.putObject(property(what)).put("strategy", "compression");
          case "yes" -> owner.put(what + "Index", true);
          case "no" -> owner.put(what + "Index", false);
          default -> throw new IllegalArgumentException(option);
        }
      }
    }
    return json.toString();
  }

  private static String property(String type) {
    return type.equals("all") ? "encodingStrategy" : type + "EncodingStrategy";
  }

  private static IndexSpec spec(String options) throws JsonProcessingException {
    return read(options(options));
  }

  /** What a spec asks for, by property. */
  private static Map<String, Object> asked(IndexSpec spec) {
    return ShapeShiftIndexSpec.strategiesOf(spec).toJson();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "{'strategy': 'shapeshift'} | FASTBUTSMALLISH | LARGE",
      "'shapeshift' | FASTBUTSMALLISH | LARGE",
      "'ShapeShift' | FASTBUTSMALLISH | LARGE",
      "{'strategy': 'ShapeShift', 'optimizationTarget': 'SMALLER', 'blockSize': 'Middle'} | SMALLER | MIDDLE",
      "{'strategy': 'SHAPESHIFT', 'optimizationTarget': 'fastButSmallish', 'blockSize': 'SMALL'}"
          + " | FASTBUTSMALLISH | SMALL",
      "{'strategy': 'shapeshift', 'optimizationTarget': 'faster', 'blockSize': null} | FASTER | LARGE"
  }, quoteCharacter = '"')
  void readsStrategies(String option, OptimizationTarget target, BlockSize size) throws JsonProcessingException {
    for (String property : TypeStrategies.PROPERTIES) {
      assertEquals(Map.of(property, EncodingStrategy.shapeShift(target, size)), asked(read(property, option)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "{}", "'compression'", "'COMPRESSION'",
      "{'strategy': 'COMPRESSION', 'optimizationTarget': 'smaller', 'blockSize': 'small'}"
  })
  void readsCompression(String option) throws JsonProcessingException {
    for (String property : TypeStrategies.PROPERTIES) {
      assertEquals(Map.of(property, EncodingStrategy.COMPRESSION), asked(read(property, option)));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "{'strategy': 'nonsense'}"
          + " | PROPERTY.strategy[nonsense] is unknown. Allowed are [compression, shapeshift]",
      "{'strategy': 'shapeshift', 'optimizationTarget': 'best'}"
          + " | PROPERTY.optimizationTarget[best] is unknown."
          + " Allowed are [smaller, fastbutsmallish, faster]",
      "{'strategy': 'shapeshift', 'blockSize': 16}"
          + " | PROPERTY.blockSize[16] is unknown. Allowed are [large, middle, small]",
      "{'strategy': 'compression', 'blockSize': 'huge'}"
          + " | PROPERTY.blockSize[huge] is unknown. Allowed are [large, middle, small]",
      "{'strategy': 'shapeshift', 'target': 'faster', 'size': 1}"
          + " | PROPERTY has unknown properties [size, target]."
          + " Allowed are [blockSize, optimizationTarget, strategy]",
      "{'Strategy': 'shapeshift'} | PROPERTY has unknown properties [Strategy]."
          + " Allowed are [blockSize, optimizationTarget, strategy]",
      "{'optimizationTarget': 'smaller'} | PROPERTY has no strategy, without which [optimizationTarget]"
          + " have no effect. Allowed are [compression, shapeshift]",
      "{'strategy': null, 'blockSize': 'small'} | PROPERTY has no strategy, without which"
          + " [strategy, blockSize] have no effect.",
      "'nonsense' | PROPERTY[nonsense] is unknown. Allowed are [compression, shapeshift]",
      "'' | PROPERTY[] is unknown. Allowed are [compression, shapeshift]",
      "['shapeshift'] | PROPERTY[[shapeshift]] must be the name of a strategy, one of [compression, shapeshift],"
          + " or an object with the properties [blockSize, optimizationTarget, strategy]",
      "3 | PROPERTY[3] must be the name of a strategy, one of [compression, shapeshift], or an object"
  }, quoteCharacter = '"')
  void refusesWhatItDoesNotKnow(String option, String message) {
    for (String property : TypeStrategies.PROPERTIES) {
      final DruidException e = assertThrows(DruidException.class, () -> read(property, option));
      assertTrue(e.getMessage().startsWith(message.replace("PROPERTY", property)), e.getMessage());
      // As part of a task, Jackson says where it is.
      final Exception ofTask = assertThrows(
          JsonProcessingException.class,
          () -> TASKS_JSON.readValue(
              "{\"type\": \"index_parallel\", \"indexSpec\": {\"" + property + "\": " + option.replace('\'', '"')
                  + "}}",
              ParallelIndexTuningConfig.class
          )
      );
      assertTrue(ofTask.getMessage().startsWith(message.replace("PROPERTY", property)), ofTask.getMessage());
    }
  }

  /** Druid passes over it, so that segments are its own though somebody has asked for ours. */
  @Test
  void namesThatNobodyKnowsAreToldOf() throws JsonProcessingException {
    // Other tests may have given more than are told of.
    IndexSpecMixin.UNKNOWN.clear();
    final IndexSpec misspelt = read("{\"encodngStrategy\": \"shapeshift\", \"metricCompression\": \"zstd\"}");
    assertEquals(Map.of(), asked(misspelt));
    assertTrue(IndexSpecMixin.UNKNOWN.contains("encodngStrategy"));
    assertFalse(IndexSpecMixin.UNKNOWN.contains("metricCompression"));
    for (String property : TypeStrategies.PROPERTIES) {
      read(property, "'shapeshift'");
      assertFalse(IndexSpecMixin.UNKNOWN.contains(property));
    }
  }

  @Test
  void namesThePropertyThatIsWrong() {
    final String spec = """
        {"encodingStrategy": {"strategy": "shapeshift"}, "doubleEncodingStrategy": {"strategy": "shapeshift"},
        "longEncodingStrategy": {"strategy": "auto"}}""";
    final DruidException e = assertThrows(DruidException.class, () -> read(spec));
    assertTrue(e.getMessage().startsWith("longEncodingStrategy.strategy[auto] is unknown."), e.getMessage());
  }

  @Test
  void twoAnswersToHowDictionariesAreStoredAreRefused() throws JsonProcessingException {
    final String frontCoded = "\"stringDictionaryEncoding\": {\"type\": \"frontCoded\", \"bucketSize\": 4}";
    final DruidException e = assertThrows(
        DruidException.class,
        () -> read("{\"dictionaryEncodingStrategy\": \"shapeshift\", " + frontCoded + "}")
    );
    assertTrue(
        e.getMessage().startsWith(
            "The indexSpec asks for dictionaries of strings that shape-shift, by \"dictionaryEncodingStrategy\", and"
                + " for \"stringDictionaryEncoding\" of type[frontCoded]. Remove one of the two;"
        ),
        e.getMessage()
    );
    // These leave no question.
    read("{\"dictionaryEncodingStrategy\": \"compression\", " + frontCoded + "}");
    read("{\"dictionaryEncodingStrategy\": \"shapeshift\", \"stringDictionaryEncoding\": {\"type\": \"utf8\"}}");
    final IndexSpec general = read("{\"encodingStrategy\": \"shapeshift\", \"longEncodingStrategy\": \"compression\", "
        + frontCoded + "}");
    // What segments were written by says it of the types that it is about.
    final CompactionState written = new CompactionState(null, null, null, null, general.getEffectiveSpec(), null, null);
    final CompactionState read = JSON.readValue(JSON.writeValueAsString(written), CompactionState.class);
    assertEquals(general.getEffectiveSpec(), read.getIndexSpec().getEffectiveSpec());
  }

  /** Were a later Druid to add a property, our converter would drop it from every spec. */
  @Test
  void readsAllPropertiesThatDruidReads() {
    assertEquals(creatorProperties(IndexSpec.class), creatorProperties(IndexSpecMixin.Json.class));
    assertEquals(creatorProperties(CompactionState.class), creatorProperties(CompactionStateMixin.class));
  }

  private static Set<String> creatorProperties(Class<?> type) {
    return Stream.<Executable>concat(Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
        .filter(creator -> creator.isAnnotationPresent(JsonCreator.class))
        .flatMap(creator -> Stream.of(creator.getParameters()))
        .map(parameter -> parameter.getAnnotation(JsonProperty.class).value())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "int=S", "long=M", "double=C", "float=S", "index=M", "all=S", "all=S int=S", "all=C long=S float=M",
      "int=S long=S double=S float=S index=S dictionary=S complex=S nested=S",
      "all=M int=S long=C double=S float=M index=C dictionary=C complex=C nested=C"
  })
  void writesWhatWasGivenAndNothingElse(String options) throws JsonProcessingException {
    final IndexSpec spec = spec(options);
    final JsonNode given = JSON.readTree(options(options));
    final JsonNode json = JSON.readTree(JSON.writeValueAsString(spec));
    for (String property : TypeStrategies.PROPERTIES) {
      assertEquals(given.has(property), json.has(property), property);
      assertEquals(given.path(property).get("strategy"), json.path(property).get("strategy"), property);
    }
    assertEquals(spec, JSON.treeToValue(json, IndexSpec.class));
    assertEquals(spec, JSON.convertValue(spec, IndexSpec.class));
    assertEquals(spec.hashCode(), JSON.treeToValue(json, IndexSpec.class).hashCode());
  }

  @Test
  void namesMeanTheirObjectsAndAreWrittenAsThese() throws JsonProcessingException {
    final IndexSpec named = read("{\"encodingStrategy\": \"shapeshift\", \"longEncodingStrategy\": \"compression\"}");
    assertEquals(spec("all=S long=C"), named);
    assertEquals(JSON.writeValueAsString(spec("all=S long=C")), JSON.writeValueAsString(named));
    assertEquals(
        spec("int=S double=S float=S index=S dictionary=S complex=S nested=S").getEffectiveSpec(),
        named.getEffectiveSpec());
  }

  @Test
  void writesTheDefaultsOfAStrategy() throws JsonProcessingException {
    assertEquals(
        JSON.readTree("""
            {"strategy": "shapeshift", "optimizationTarget": "fastbutsmallish", "blockSize": "large"}"""),
        JSON.readTree(JSON.writeValueAsString(spec("all=S"))).get("encodingStrategy")
    );
    assertEquals(
        JSON.readTree("{\"strategy\": \"compression\"}"),
        JSON.readTree(JSON.writeValueAsString(spec("float=C"))).get("floatEncodingStrategy")
    );
  }

  /** Else auto-compaction would take all segments from before the extension for outdated ones. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"dimensionCompression\": \"zstd\", \"metricCompression\": \"none\"}",
      "{\"encodingStrategy\": null, \"longEncodingStrategy\": null}"})
  void specsWithoutTheOptionAreStock(String json) throws JsonProcessingException {
    final IndexSpec stock = new DefaultObjectMapper().readValue(json, IndexSpec.class);
    final IndexSpec ours = read(json);
    assertSame(IndexSpec.class, ours.getClass());
    assertEquals(stock, ours);
    assertEquals(stock.getEffectiveSpec(), ours.getEffectiveSpec());
    assertEquals(new DefaultObjectMapper().writeValueAsString(stock), JSON.writeValueAsString(ours));
  }

  @Test
  void allOtherPropertiesAreKept() throws JsonProcessingException {
    final String properties = """
        {"bitmap": {"type": "concise"}, "metadataCompression": "lz4", "dimensionCompression": "zstd",
        "stringDictionaryEncoding": {"type": "frontCoded", "bucketSize": 4}, "metricCompression": "none",
        "longEncoding": "auto", "complexMetricCompression": "lz4", "jsonCompression": "zstd",
        "stringColumnFormatSpec": {}, "autoColumnFormatSpec": {}""";
    final IndexSpec stock = read(properties + "}");
    final IndexSpec ours = read(properties + ", " + options("all=S long=C").substring(1));
    final Map<String, Object> json = JSON.convertValue(ours, new TypeReference<>() {});
    json.keySet().removeAll(EncodingStrategies.PROPERTIES);
    assertEquals(JSON.convertValue(stock, new TypeReference<Map<String, Object>>() {}), json);
    // As many as the class of Druid 37 has, less segmentLoader, which is left null.
    assertEquals(10, json.size());
    assertEquals(CompressionStrategy.ZSTD, ours.getEffectiveSpec().getDimensionCompression());
    assertEquals(
        asked(spec("int=S double=S float=S index=S dictionary=S complex=S nested=S")),
        asked(ours.getEffectiveSpec()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "int", "long", "double", "float", "index", "dictionary"})
  void equalitySeesTheOption(String type) throws JsonProcessingException {
    final IndexSpec shapeShift = spec(type + "=S");
    final IndexSpec smaller = spec(type + "=M");
    assertEquals(shapeShift, spec(type + "=S"));
    assertEquals(shapeShift.hashCode(), spec(type + "=S").hashCode());
    assertNotEquals(shapeShift, smaller);
    assertNotEquals(shapeShift, spec(""));
    assertNotEquals(spec(""), shapeShift);
    assertNotEquals(shapeShift, spec((type.equals("int") ? "long" : "int") + "=S"));
    assertNotEquals(shapeShift.getEffectiveSpec(), smaller.getEffectiveSpec());
    assertNotEquals(shapeShift.getEffectiveSpec(), spec("").getEffectiveSpec());
    assertTrue(smaller.toString().contains("ncodingStrategy=EncodingStrategy{strategy=shapeshift, "
        + "optimizationTarget=smaller"), smaller.toString());
  }

  @Test
  void specificStrategiesReplaceTheGeneralOne() throws JsonProcessingException {
    final IndexSpec spec = spec("all=M int=C double=S");
    assertEquals(EncodingStrategy.COMPRESSION, ShapeShiftIndexSpec.encodingOf(spec, "any", EncodedType.INT));
    assertEquals(SMALLER, ShapeShiftIndexSpec.encodingOf(spec, "any", EncodedType.LONG));
    assertEquals(DEFAULT_SHAPE_SHIFT, ShapeShiftIndexSpec.encodingOf(spec, "any", EncodedType.DOUBLE));
    assertEquals(SMALLER, ShapeShiftIndexSpec.encodingOf(spec, "any", EncodedType.FLOAT));
    for (EncodedType type : EncodedType.values()) {
      assertEquals(
          ShapeShiftIndexSpec.encodingOf(spec, "any", type),
          ShapeShiftIndexSpec.encodingOf(spec.getEffectiveSpec(), "any", type)
      );
      assertEquals(EncodingStrategy.COMPRESSION, ShapeShiftIndexSpec.encodingOf(spec(""), "any", type));
    }
  }

  /** Auto-compaction compares effective specs: what means the same must be equal, and Druid's own where it can. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      // default | spec                            | effective
      "''          | ''                              | ''",
      "''          | all=C                           | ''",
      "''          | int=C double=C                  | ''",
      "''          | int=S                           | int=S",
      "''          | long=S float=M                  | long=S float=M",
      "''          | all=S                           | all=S",
      "''          | int=S long=S double=S float=S index=S dictionary=S complex=S nested=S | all=S",
      "''          | int=S long=S double=S float=S   | int=S long=S double=S float=S",
      "''          | index=M                         | index=M",
      "''          | dictionary=M complex=M nested=M                    | dictionary=M complex=M nested=M",
      "''          | all=M int=S long=S double=S float=S index=S dictionary=S complex=S nested=S | all=S",
      "''          | all=S long=S                    | all=S",
      "''          | all=S long=C                    | int=S double=S float=S index=S dictionary=S complex=S nested=S",
      "''          | all=S int=C long=C double=C float=C index=C dictionary=C complex=C nested=C | ''",
      "'' | all=S float=M | int=S long=S double=S float=M index=S dictionary=S complex=S nested=S",
      "''          | all=C long=S                    | long=S",
      "all=C       | ''                              | ''",
      "all=C       | int=C                           | ''",
      "all=C       | double=S                        | double=S",
      "int=S       | ''                              | int=S",
      "int=S       | int=C                           | int=C",
      "int=S       | all=C                           | int=C",
      "int=S       | all=C long=S                    | int=C long=S",
      "int=S       | long=S                          | int=S long=S",
      "int=S       | long=C                          | int=S",
      "int=S       | all=S                           | all=S",
      "int=S       | long=S double=S float=S index=S dictionary=S complex=S nested=S | all=S",
      "all=S       | ''                              | all=S",
      "all=S       | all=C                           | all=C",
      "all=S       | int=C long=C double=C float=C index=C dictionary=C complex=C nested=C | all=C",
      "all=S | int=C | int=C long=S double=S float=S index=S dictionary=S complex=S nested=S",
      "all=S | index=C | int=S long=S double=S float=S index=C dictionary=S complex=S nested=S",
      "all=S | int=M | int=M long=S double=S float=S index=S dictionary=S complex=S nested=S",
      "all=S       | all=M                           | all=M",
      "all=S long=M | '' | int=S long=M double=S float=S index=S dictionary=S complex=S nested=S",
      "all=S long=M | double=M | int=S long=M double=M float=S index=S dictionary=S complex=S nested=S",
      "all=S long=M | all=S                          | all=S",
      "all=S long=C | ''                             | int=S double=S float=S index=S dictionary=S complex=S nested=S",
      "all=S long=C | all=C                          | int=C double=C float=C index=C dictionary=C complex=C nested=C",
      "all=S long=C | long=S                         | all=S"
  })
  void effectiveSpecsHaveOneFormForEachMeaning(String systemDefault, String given, String expected)
      throws JsonProcessingException {
    setSystemDefault(spec(systemDefault));
    final IndexSpec effective = spec(given).getEffectiveSpec();
    assertEquals(ShapeShiftIndexSpec.strategiesOf(spec(expected)), ShapeShiftIndexSpec.strategiesOf(effective));
    assertEquals(expected.isEmpty(), effective.getClass() == IndexSpec.class);
    assertEquals(effective, spec(expected).getEffectiveSpec());
    assertEquals(effective, effective.getEffectiveSpec());
    assertEquals(effective, read(JSON.writeValueAsString(effective)));
    assertEquals(effective, JSON.convertValue(effective, IndexSpec.class));
  }

  @Test
  void tuningConfigsCarryTheOption() throws JsonProcessingException {
    final String tuningConfig = "{\"type\": \"index_parallel\", \"indexSpec\": " + options("all=S long=C")
        + ", \"indexSpecForIntermediatePersists\": " + options("all=C") + "}";
    final ObjectMapper json = TASKS_JSON;
    final ParallelIndexTuningConfig task = json.readValue(tuningConfig, ParallelIndexTuningConfig.class);
    assertEquals(spec("all=S long=C"), task.getIndexSpec());
    assertEquals(spec("all=C"), task.getIndexSpecForIntermediatePersists());
    assertEquals(task, json.readValue(json.writeValueAsString(task), ParallelIndexTuningConfig.class));

    final ClientCompactionTaskQueryTuningConfig compaction =
        json.readValue(tuningConfig, ClientCompactionTaskQueryTuningConfig.class);
    assertEquals(spec("all=S long=C"), compaction.getIndexSpec());
    assertEquals(
        compaction,
        json.readValue(json.writeValueAsString(compaction), ClientCompactionTaskQueryTuningConfig.class)
    );
  }

  @Test
  void theSystemDefaultCanBeSet() throws JsonProcessingException {
    final Properties properties = new Properties();
    properties.setProperty("druid.indexing.formats.indexSpec", options("all=S float=M"));
    final DefaultColumnFormatConfig config =
        new JsonConfigurator(JSON, Validation.buildDefaultValidatorFactory().getValidator())
            .configurate(properties, "druid.indexing.formats", DefaultColumnFormatConfig.class);
    setSystemDefault(config.getIndexSpec());

    assertEquals(spec("all=S float=M"), IndexSpec.getDefault());
    final IndexSpec silent = read("{\"dimensionCompression\": \"zstd\"}");
    assertEquals(CompressionStrategy.ZSTD, silent.getEffectiveSpec().getDimensionCompression());
    final IndexSpec effective = silent.getEffectiveSpec();
    assertEquals(DEFAULT_SHAPE_SHIFT, ShapeShiftIndexSpec.encodingOf(effective, "any", EncodedType.LONG));
    assertEquals(SMALLER, ShapeShiftIndexSpec.encodingOf(effective, "any", EncodedType.FLOAT));
    assertEquals(silent, read(JSON.writeValueAsString(silent)));
    assertEquals(Map.of(), asked(silent));
  }

  /** Auto-compaction compares the effective specs of what it would write and of what was written. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      // written by | default since then | which would be written by, does a spec without options write the same?
      "''           | ''            | all=C               | true",
      "int=S        | ''            | int=S               | false",
      "all=S        | ''            | all=S               | false",
      "all=S long=C | ''            | all=S long=C        | false",
      "''           | all=C         | ''                  | true",
      "''           | int=S         | int=C               | false",
      "''           | all=S         | all=C               | false",
      "int=S        | int=S         | int=S               | true",
      "int=S        | all=S         | int=S long=C double=C float=C index=C dictionary=C complex=C nested=C | false",
      "long=S       | int=S         | int=C long=S        | false",
      "all=S        | int=S         | all=S               | false",
      "all=S        | all=S         | all=S               | true",
      "int=S long=S double=S float=S index=S dictionary=S complex=S nested=S | all=S | '' | true",
      "int=S long=S double=S float=S | all=S | "
          + "int=S long=S double=S float=S index=C dictionary=C complex=C nested=C | false",
      "all=S long=M | all=S long=M  | ''                  | true",
      "all=S        | all=S long=M  | all=S               | false"
  })
  void compactionStatesTellWhatWasWritten(String written, String systemDefault, String same, boolean likeDefault)
      throws JsonProcessingException {
    final CompactionState state =
        new CompactionState(null, null, null, null, spec(written).getEffectiveSpec(), null, null);
    final String json = JSON.writeValueAsString(state);

    setSystemDefault(spec(systemDefault));
    final IndexSpec effective = JSON.readValue(json, CompactionState.class).getIndexSpec().getEffectiveSpec();
    assertEquals(spec(same).getEffectiveSpec(), effective);
    assertEquals(likeDefault, spec("").getEffectiveSpec().equals(effective));
  }

  /** A task under the default leaves a state that tells apart what it overruled, in the same form as before. */
  @Test
  void compactionStatesNameWhatOverrulesTheDefault() throws JsonProcessingException {
    setSystemDefault(spec("int=S"));
    final CompactionState state =
        new CompactionState(null, null, null, null, spec("int=C").getEffectiveSpec(), null, null);
    final JsonNode json = JSON.readTree(JSON.writeValueAsString(state)).get("indexSpec");
    assertEquals(JSON.readTree("{\"strategy\": \"compression\"}"), json.get("intEncodingStrategy"));
    for (String property : EncodingStrategies.PROPERTIES) {
      assertEquals(property.equals("intEncodingStrategy"), json.has(property), property);
    }
  }

  /** A segment's compaction state, with one property more in its indexSpec, as Druid reads it. */
  private static DataSegment segmentWith(IndexSpec written, String property, JsonNode value)
      throws JsonProcessingException {
    final DataSegment segment = DataSegment.builder(SegmentId.of("t", Intervals.of("2024/P1D"), "v", 0))
        .lastCompactionState(new CompactionState(null, null, null, null, written.getEffectiveSpec(), null, null))
        .size(1).build();
    final JsonNode json = JSON.valueToTree(segment);
    ((ObjectNode) json.at("/lastCompactionState/indexSpec")).set(property, value);
    final DataSegment read = JSON.copy()
        .setInjectableValues(new InjectableValues.Std().addValue(
            DataSegment.PruneSpecsHolder.class, DataSegment.PruneSpecsHolder.DEFAULT))
        .treeToValue(json, DataSegment.class);
    assertEquals(segment, read);
    return read;
  }

  /** Druid passes over a segment of which it cannot read this, and has it unloaded everywhere. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "encodingStrategy | {'strategy': 'shapeshift', 'optimizationTarget': 'balanced', 'blockSize': 'large'}",
      "encodingStrategy | {'strategy': 'shapeshift', 'checksums': true}",
      "longEncodingStrategy | {'strategy': 'mirror'}",
      "intEncodingStrategy | ['shapeshift']",
      "laterEncodingStrategy | {'strategy': 'shapeshift'}",
      "sketchIndexes | ['key']",
      "columns | {'key': {'bloomFilter': {'bits': 12}}}",
      "columns | ['key']"
  }, quoteCharacter = '"')
  void segmentsOfALaterReleaseAreNotLost(String property, String option) throws JsonProcessingException {
    final JsonNode later = JSON.readTree(option.replace('\'', '"'));
    for (String written : List.of(
        "all=S", "int=S long=M double=S float=S index=S dictionary=S complex=S nested=S", "all=S long=C")) {
      for (String systemDefault : List.of("", "all=S", "all=M")) {
        setSystemDefault(spec(""));
        final IndexSpec writtenSpec = spec(written).getEffectiveSpec();
        setSystemDefault(spec(systemDefault));
        final DataSegment read = segmentWith(writtenSpec, property, later);
        // What it was is not forgotten, and is no option of this release.
        assertEquals(later, JSON.valueToTree(read).at("/lastCompactionState/indexSpec/" + property));
        final IndexSpec spec = read.getLastCompactionState().getIndexSpec();
        for (String options : List.of("", "all=C", "all=S", "all=M", written)) {
          assertNotEquals(spec(options).getEffectiveSpec(), spec.getEffectiveSpec(), options);
        }
        assertEquals(
            read.getLastCompactionState(),
            JSON.readValue(JSON.writeValueAsString(read.getLastCompactionState()), CompactionState.class)
        );
        // Another option of a later release is another one.
        final DataSegment other = segmentWith(writtenSpec, property, JSON.readTree("\"other\""));
        assertNotEquals(spec, other.getLastCompactionState().getIndexSpec());
      }
    }
  }

  /** A later Druid writes it, as while services are upgraded one after the other, and Druid takes no notice. */
  @Test
  void propertiesOfALaterDruidAreNoDifferenceWhereNothingIsOurs() throws JsonProcessingException {
    final DataSegment read = segmentWith(spec(""), "columnarNulls", JSON.readTree("true"));
    assertEquals(spec("").getEffectiveSpec(), read.getLastCompactionState().getIndexSpec());
    assertNotEquals(
        spec("").getEffectiveSpec(),
        segmentWith(spec(""), "laterEncodingStrategy", JSON.readTree("{\"strategy\": \"shapeshift\"}"))
            .getLastCompactionState().getIndexSpec().getEffectiveSpec()
    );
  }

  /** Columns with a hash index, of the columns a, b and c. */
  private static Set<String> hashIndexes(IndexSpec spec) {
    return Stream.of("a", "b", "c")
        .filter(column -> ShapeShiftIndexSpec.hasHashIndex(spec.getEffectiveSpec(), column))
        .collect(Collectors.toSet());
  }

  @Test
  void columnsHaveChoicesOfTheirOwn() throws JsonProcessingException {
    final IndexSpec spec = read("""
        {"encodingStrategy": "shapeshift", "columns": {
        "comment": {"encodingStrategy": {"strategy": "shapeshift", "optimizationTarget": "smaller"}},
        "user_id": {"indexEncodingStrategy": "compression", "hashIndex": true},
        "raw": {"encodingStrategy": "compression"},
        "with.dot": {}, "nothing": null}}""");
    for (IndexSpec each : List.of(spec, spec.getEffectiveSpec(), read(JSON.writeValueAsString(spec)))) {
      for (EncodedType type : EncodedType.values()) {
        assertEquals(SMALLER, ShapeShiftIndexSpec.encodingOf(each, "comment", type));
        assertEquals(EncodingStrategy.COMPRESSION, ShapeShiftIndexSpec.encodingOf(each, "raw", type));
        assertEquals(
            type == EncodedType.INDEX ? EncodingStrategy.COMPRESSION : DEFAULT_SHAPE_SHIFT,
            ShapeShiftIndexSpec.encodingOf(each, "user_id", type)
        );
        assertEquals(DEFAULT_SHAPE_SHIFT, ShapeShiftIndexSpec.encodingOf(each, "with.dot", type));
      }
      assertTrue(ShapeShiftIndexSpec.hasHashIndex(each, "user_id"));
      assertFalse(ShapeShiftIndexSpec.hasHashIndex(each, "comment"));
      assertTrue(each.toString().contains("user_id={indexEncodingStrategy="), each::toString);
    }
    assertEquals(spec, JSON.convertValue(JSON.convertValue(spec, Map.class), IndexSpec.class));
    assertEquals(spec.hashCode(), read(JSON.writeValueAsString(spec)).hashCode());
    assertNotEquals(spec, spec("all=S"));
    assertNotEquals(spec.getEffectiveSpec(), spec("all=S").getEffectiveSpec());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "'user_id' | columns[user_id] must be an object with the names of columns, each with an object of its options",
      "['a'] | columns[[a]] must be an object with the names of columns",
      "{'': {}} | columns has an entry for a column without a name",
      "{'a': 'shapeshift'} | columns.a[shapeshift] must be an object with properties of [encodingStrategy, int",
      "{'a': true} | columns.a[true] must be an object with properties of",
      "{'a': {'optimizationTarget': 'smaller', 'hash': 1}} | columns.a has unknown properties [hash,"
          + " optimizationTarget]. Allowed are [encodingStrategy, intEncodingStrategy, longEncodingStrategy,"
          + " doubleEncodingStrategy, floatEncodingStrategy, indexEncodingStrategy, dictionaryEncodingStrategy,"
          + " complexEncodingStrategy, nestedEncodingStrategy, hashIndex, textIndex]",
      "{'a': {'hashIndex': 'yes'}} | columns.a.hashIndex[yes] is unknown. Allowed are [true, false]",
      "{'a': {'textIndex': 1}} | columns.a.textIndex[1] is unknown. Allowed are [true, false]",
      "{'a': {'encodingStrategy': 'zip'}} | columns.a.encodingStrategy[zip] is unknown. Allowed are [compression,"
          + " shapeshift]",
      "{'a': {}, 'b': {'longEncodingStrategy': {'strategy': 'shapeshift', 'blockSize': 1}}}"
          + " | columns.b.longEncodingStrategy.blockSize[1] is unknown. Allowed are [large, middle, small]",
      "{'a': {'hashIndex': true, 'encodingStrategy': 'compression'}} | The indexSpec asks for a hash index of"
          + " column[a], and for Druid's own longs, doubles and floats, which have none. Remove \"hashIndex\" from the"
          + " column's entry, or let its type shape-shift",
      "{'a': {'textIndex': true, 'encodingStrategy': 'compression'}} | The indexSpec asks for a text index of"
          + " column[a], and for Druid's own dictionaries and nested columns, which have none. Remove \"textIndex\""
          + " from the column's entry, or let its dictionary shape-shift"
  }, quoteCharacter = '~')
  void refusesWrongEntries(String option, String message) {
    final DruidException e = assertThrows(DruidException.class, () -> read("columns", option));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "all=C a.hash=yes", "all=S long=C double=C float=C a.hash=yes", "all=S a.all=C a.int=S a.hash=yes"
  })
  void refusesHashIndexesOfStockNumbers(String options) {
    final Exception e = assertThrows(DruidException.class, () -> spec(options));
    assertTrue(e.getMessage().startsWith("The indexSpec asks for a hash index of column[a]"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "all=C a.text=yes", "all=S dictionary=C nested=C a.text=yes", "all=S a.all=C a.long=S a.text=yes"
  })
  void refusesTextIndexesOfStockDictionaries(String options) {
    final Exception e = assertThrows(DruidException.class, () -> spec(options));
    assertTrue(e.getMessage().startsWith("The indexSpec asks for a text index of column[a]"), e.getMessage());
  }

  /** What one of these decides is not asked of the next: entry, table, entry of the default, default. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      // default                | spec                | effective
      "''                       | a.all=S             | a.all=S",
      "''                       | all=S a.all=S       | all=S",
      "''                       | all=S a.long=S      | all=S",
      "''                       | all=S a.all=C       | all=S a.all=C",
      "''                       | all=S int=M a.all=S | all=S a.all=S int=M",
      "''                       | a.all=C b.int=C     | ''",
      "''                       | all=C a.long=C      | ''",
      "''                       | long=S a.all=C      | long=S a.long=C",
      "''                       | long=S a.long=M a.double=C | long=S a.long=M",
      "''                       | all=S a.int=M a.long=M a.double=M a.float=M a.index=M a.dictionary=M a.complex=M"
          + " a.nested=M | all=S a.all=M",
      "''                       | all=S a.hash=no     | all=S",
      "''                       | all=S a.hash=yes    | all=S a.hash=yes",
      "''                       | index=S a.hash=yes  | index=S",
      "''                       | a.hash=yes a.long=S | a.hash=yes a.long=S",
      "''                       | all=S a.text=no     | all=S",
      "''                       | all=S a.text=yes    | all=S a.text=yes",
      "''                       | index=S a.text=yes  | index=S",
      "''                       | a.text=yes a.nested=S | a.text=yes a.nested=S",
      "''                       | a.text=yes a.hash=yes a.dictionary=S | a.text=yes a.dictionary=S",
      "all=S                    | a.all=C             | all=S a.all=C",
      "all=S                    | all=C a.all=C       | all=C",
      "a.all=M                  | ''                  | a.all=M",
      "a.all=M                  | a.all=M             | a.all=M",
      "a.all=M                  | b.all=S             | a.all=M b.all=S",
      "a.all=M                  | all=C               | all=C",
      "a.all=M                  | a.all=C             | all=C",
      "a.all=M                  | all=S               | all=S",
      "a.all=M                  | int=C               | int=C",
      "all=S a.int=M            | a.long=M            | all=S a.int=M a.long=M",
      "all=S a.int=M            | a.all=C             | all=S a.all=C",
      "all=S a.hash=yes         | ''                  | all=S a.hash=yes",
      "all=S a.hash=yes         | a.hash=no           | all=S a.hash=no",
      "all=S a.text=yes         | ''                  | all=S a.text=yes",
      "all=S a.text=yes         | a.text=no           | all=S a.text=no",
      "all=S a.text=yes         | a.hash=yes          | all=S a.hash=yes a.text=yes",
      "all=S a.text=yes         | dictionary=C nested=C | dictionary=C nested=C",
      "all=S a.text=yes         | a.all=C             | all=S a.all=C",
      "all=S a.hash=yes         | b.hash=yes          | all=S a.hash=yes b.hash=yes",
      "all=S a.hash=yes         | all=C               | all=C",
      "all=S a.hash=yes         | a.all=C             | all=S a.all=C",
      "all=S a.hash=yes         | long=C double=C float=C | long=C double=C float=C"
  })
  void entriesHaveOneFormForEachMeaning(String systemDefault, String given, String expected)
      throws JsonProcessingException {
    setSystemDefault(spec(systemDefault));
    final IndexSpec effective = spec(given).getEffectiveSpec();
    assertEquals(spec(expected).getEffectiveSpec(), effective);
    assertEquals(effective, effective.getEffectiveSpec());
    assertEquals(effective, read(JSON.writeValueAsString(effective)));
    assertEquals(expected.isEmpty(), effective.getClass() == IndexSpec.class);
    // What compaction reads of a segment that was written by it.
    final String state =
        JSON.writeValueAsString(new CompactionState(null, null, null, null, effective, null, null));
    assertEquals(effective, JSON.readValue(state, CompactionState.class).getIndexSpec().getEffectiveSpec());
    // The meaning is the same for each column and type.
    for (String column : List.of("a", "b", "c")) {
      for (EncodedType type : EncodedType.values()) {
        assertEquals(
            ShapeShiftIndexSpec.encodingOf(spec(expected).getEffectiveSpec(), column, type),
            ShapeShiftIndexSpec.encodingOf(effective, column, type)
        );
      }
    }
  }

  /** Auto-compaction sees what another default changes, and nothing else. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      // written by       | default since then     | which would be written by
      "''                 | a.all=S                | all=C",
      "''                 | all=S a.hash=yes       | all=C",
      "a.all=S            | a.all=S                | a.all=S",
      "a.all=S            | ''                     | a.all=S",
      "a.all=S            | all=S                  | all=C a.all=S",
      "all=S              | a.hash=yes             | all=S a.hash=no",
      "all=S              | all=S a.text=yes       | a.text=no",
      "all=S              | all=S a.text=yes a.hash=yes | a.text=no a.hash=no",
      "all=S a.text=yes   | all=S a.text=yes       | ''",
      "all=S a.text=yes   | all=S                  | all=S a.text=yes",
      "all=S              | all=S a.hash=yes       | a.hash=no",
      "all=S a.hash=yes   | all=S a.hash=yes       | ''",
      "all=S a.hash=yes   | all=S                  | all=S a.hash=yes",
      "all=S b.all=M      | all=S a.all=M          | all=S b.all=M",
      "long=C double=C float=C | all=S a.hash=yes  | all=C"
  })
  void compactionStatesTellWhichColumnsWereWrittenHow(String written, String systemDefault, String same)
      throws JsonProcessingException {
    final String state = JSON.writeValueAsString(
        new CompactionState(null, null, null, null, spec(written).getEffectiveSpec(), null, null));
    setSystemDefault(spec(systemDefault));
    final IndexSpec read = JSON.readValue(state, CompactionState.class).getIndexSpec();
    assertEquals(spec(same).getEffectiveSpec(), read.getEffectiveSpec());
  }

  @Test
  void hashIndexesOfTheSystemDefault() throws JsonProcessingException {
    setSystemDefault(spec("all=S a.hash=yes"));
    assertEquals(Set.of("a"), hashIndexes(spec("")));
    assertEquals(Set.of("a"), hashIndexes(spec("int=M")));
    assertEquals(Set.of("a", "b"), hashIndexes(spec("b.hash=yes")));
    assertEquals(Set.of(), hashIndexes(spec("a.hash=no")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "int=S", "index=S dictionary=S complex=S nested=S"})
  void hashIndexesMeanNothingWhereNoNumberShapeShifts(String options) throws JsonProcessingException {
    IndexSpecMixin.UNKNOWN.clear();
    final IndexSpec spec = spec(options + " a.hash=yes");
    assertEquals(1, IndexSpecMixin.UNKNOWN.size());
    assertEquals(spec(options).getEffectiveSpec(), spec.getEffectiveSpec());
    assertEquals(Set.of(), hashIndexes(spec));
    // It has a meaning with a default that shape-shifts.
    setSystemDefault(spec("double=S"));
    assertEquals(Set.of("a"), hashIndexes(spec));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "int=S", "index=S long=S complex=S"})
  void textIndexesMeanNothingWhereNoDictionaryShapeShifts(String options) throws JsonProcessingException {
    IndexSpecMixin.UNKNOWN.clear();
    final IndexSpec spec = spec(options + " a.text=yes");
    assertEquals(1, IndexSpecMixin.UNKNOWN.size());
    assertEquals(spec(options).getEffectiveSpec(), spec.getEffectiveSpec());
    assertFalse(ShapeShiftIndexSpec.hasTextIndex(spec.getEffectiveSpec(), "a"));
    setSystemDefault(spec("dictionary=S"));
    assertTrue(ShapeShiftIndexSpec.hasTextIndex(spec.getEffectiveSpec(), "a"));
  }

  /** A table's front coding is for the dictionaries of its other columns. */
  @Test
  void entriesOfColumnsStandBesideFrontCoding() throws JsonProcessingException {
    final IndexSpec spec = read("""
        {"stringDictionaryEncoding": {"type": "frontCoded", "bucketSize": 4},
        "columns": {"a": {"dictionaryEncodingStrategy": "shapeshift"}}}""");
    assertTrue(ShapeShiftIndexSpec.encodingOf(spec, "a", EncodedType.DICTIONARY).isShapeShift());
    assertFalse(ShapeShiftIndexSpec.encodingOf(spec, "b", EncodedType.DICTIONARY).isShapeShift());
  }

  /** Indexes and dictionaries have no blocks: auto-compaction would write the same bytes again. */
  @Test
  void blockSizesOfWhatHasNoBlocksAreNoDifference() throws JsonProcessingException {
    final String small = "{\"strategy\": \"shapeshift\", \"blockSize\": \"small\"}";
    final IndexSpec all = read("{\"encodingStrategy\": " + small + "}");
    for (String property : List.of("indexEncodingStrategy", "dictionaryEncodingStrategy")) {
      assertEquals(
          read("{\"" + property + "\": \"shapeshift\"}").getEffectiveSpec(),
          read("{\"" + property + "\": " + small + "}").getEffectiveSpec()
      );
      final IndexSpec own =
          read("{\"encodingStrategy\": " + small + ", \"" + property + "\": \"shapeshift\"}");
      assertEquals(all.getEffectiveSpec(), own.getEffectiveSpec());
      assertEquals(all.getEffectiveSpec(), read(JSON.writeValueAsString(own.getEffectiveSpec())).getEffectiveSpec());
      assertNotEquals(
          all.getEffectiveSpec(),
          read("{\"encodingStrategy\": " + small + ", \"" + property + "\": \"compression\"}").getEffectiveSpec()
      );
    }
    assertEquals(asked(all), asked(all.getEffectiveSpec()));
    assertNotEquals(spec("all=S").getEffectiveSpec(), all.getEffectiveSpec());
    for (EncodedType type : EncodedType.OF_ROWS) {
      assertNotEquals(
          read("{\"" + type.property() + "\": \"shapeshift\"}").getEffectiveSpec(),
          read("{\"" + type.property() + "\": " + small + "}").getEffectiveSpec()
      );
    }
  }
}
