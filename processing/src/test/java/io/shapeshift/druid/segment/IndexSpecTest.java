// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static io.shapeshift.druid.segment.TestSegments.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Sets;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.select.OptimizationTarget;
import java.lang.reflect.Executable;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.validation.Validation;
import org.apache.druid.client.indexing.ClientCompactionTaskQueryTuningConfig;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.guice.IndexingServiceTuningConfigModule;
import org.apache.druid.guice.JsonConfigurator;
import org.apache.druid.indexing.common.task.batch.parallel.ParallelIndexTuningConfig;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.timeline.CompactionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The option in an indexSpec, on all the ways that Druid sends an indexSpec. */
class IndexSpecTest {
  private static final String SHAPE_SHIFT = "{\"intEncodingStrategy\": {\"strategy\": \"shapeshift\"}}";
  private static final String COMPRESSION = "{\"intEncodingStrategy\": {\"strategy\": \"compression\"}}";
  private static final EncodingStrategy DEFAULT_SHAPE_SHIFT =
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);

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

  private static EncodingStrategy strategyOf(IndexSpec spec) {
    return ShapeShiftIndexSpec.strategiesOf(spec).get(EncodedType.INT);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "{'strategy': 'shapeshift'} | FASTBUTSMALLISH | LARGE",
      "{'strategy': 'ShapeShift', 'optimizationTarget': 'SMALLER', 'blockSize': 'Middle'} | SMALLER | MIDDLE",
      "{'strategy': 'SHAPESHIFT', 'optimizationTarget': 'fastButSmallish', 'blockSize': 'SMALL'}"
          + " | FASTBUTSMALLISH | SMALL",
      "{'strategy': 'shapeshift', 'optimizationTarget': 'faster', 'blockSize': null} | FASTER | LARGE"
  }, quoteCharacter = '"')
  void readsStrategies(String option, OptimizationTarget target, BlockSize size) throws JsonProcessingException {
    final IndexSpec spec = read("{\"intEncodingStrategy\": " + option.replace('\'', '"') + "}");
    assertEquals(EncodingStrategy.shapeShift(target, size), strategyOf(spec));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'strategy': 'COMPRESSION', 'optimizationTarget': 'smaller', 'blockSize': 'small'}"})
  void readsCompression(String option) throws JsonProcessingException {
    final IndexSpec spec = read("{\"intEncodingStrategy\": " + option.replace('\'', '"') + "}");
    assertEquals(EncodingStrategy.COMPRESSION, strategyOf(spec));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "{'strategy': 'nonsense'}"
          + " | intEncodingStrategy.strategy[nonsense] is unknown. Allowed are [compression, shapeshift]",
      "{'strategy': 'shapeshift', 'optimizationTarget': 'best'}"
          + " | intEncodingStrategy.optimizationTarget[best] is unknown."
          + " Allowed are [smaller, fastbutsmallish, faster]",
      "{'strategy': 'shapeshift', 'blockSize': 16}"
          + " | intEncodingStrategy.blockSize[16] is unknown. Allowed are [large, middle, small]",
      "{'strategy': 'compression', 'blockSize': 'huge'}"
          + " | intEncodingStrategy.blockSize[huge] is unknown. Allowed are [large, middle, small]",
      "{'strategy': 'shapeshift', 'target': 'faster', 'size': 1}"
          + " | intEncodingStrategy has unknown properties [size, target]."
          + " Allowed are [blockSize, optimizationTarget, strategy]",
      "{'Strategy': 'shapeshift'} | intEncodingStrategy has unknown properties [Strategy]."
          + " Allowed are [blockSize, optimizationTarget, strategy]",
      "{'optimizationTarget': 'smaller'} | intEncodingStrategy has no strategy, without which [optimizationTarget]"
          + " have no effect. Allowed are [compression, shapeshift]",
      "{'strategy': null, 'blockSize': 'small'} | intEncodingStrategy has no strategy, without which"
          + " [strategy, blockSize] have no effect.",
      "'shapeshift' | intEncodingStrategy[shapeshift] must be an object with the properties"
          + " [blockSize, optimizationTarget, strategy], such as {\"strategy\": \"shapeshift\"}",
      "['shapeshift'] | intEncodingStrategy[[shapeshift]] must be an object with the properties",
      "3 | intEncodingStrategy[3] must be an object with the properties"
  }, quoteCharacter = '"')
  void refusesWhatItDoesNotKnow(String option, String message) {
    final JsonProcessingException e = assertThrows(
        JsonProcessingException.class,
        () -> read("{\"intEncodingStrategy\": " + option.replace('\'', '"') + "}")
    );
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  /** Were a later Druid to add a property, our converter would drop it from every spec. */
  @Test
  void readsAllPropertiesThatDruidReads() {
    assertEquals(
        new TreeSet<>(Sets.union(creatorProperties(IndexSpec.class), EncodingStrategies.PROPERTIES)),
        creatorProperties(IndexSpecMixin.Json.class)
    );
    assertEquals(creatorProperties(CompactionState.class), creatorProperties(CompactionStateMixin.class));
  }

  private static Set<String> creatorProperties(Class<?> type) {
    return Stream.<Executable>concat(Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
        .filter(creator -> creator.isAnnotationPresent(JsonCreator.class))
        .flatMap(creator -> Stream.of(creator.getParameters()))
        .map(parameter -> parameter.getAnnotation(JsonProperty.class).value())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void writesTheOptionAsItIsRead() throws JsonProcessingException {
    final JsonNode json = JSON.readTree(JSON.writeValueAsString(read(SHAPE_SHIFT)));
    assertEquals(
        JSON.readTree("""
            {"strategy": "shapeshift", "optimizationTarget": "fastbutsmallish", "blockSize": "large"}"""),
        json.get(EncodedType.INT.property())
    );
  }

  /** Else auto-compaction would take all segments from before the extension for outdated ones. */
  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"dimensionCompression\": \"zstd\", \"metricCompression\": \"none\"}"})
  void specsWithoutTheOptionAreDruidsOwn(String json) throws JsonProcessingException {
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
    final IndexSpec ours = read(properties + ", \"intEncodingStrategy\": {\"strategy\": \"shapeshift\"}}");
    assertEquals(DEFAULT_SHAPE_SHIFT, strategyOf(ours));
    final Map<String, Object> json = JSON.convertValue(ours, new TypeReference<>() {});
    json.remove(EncodedType.INT.property());
    assertEquals(JSON.convertValue(stock, new TypeReference<Map<String, Object>>() {}), json);
    // As many as the class of Druid 37 has, less segmentLoader, which is left null.
    assertEquals(10, json.size());
    assertEquals(CompressionStrategy.ZSTD, ours.getEffectiveSpec().getDimensionCompression());
    assertEquals(DEFAULT_SHAPE_SHIFT, strategyOf(ours.getEffectiveSpec()));
  }

  @Test
  void equalitySeesTheOption() throws JsonProcessingException {
    final IndexSpec smaller =
        read("{\"intEncodingStrategy\": {\"strategy\": \"shapeshift\", \"optimizationTarget\": \"smaller\"}}");
    assertEquals(read(SHAPE_SHIFT), read(SHAPE_SHIFT));
    assertEquals(read(SHAPE_SHIFT).hashCode(), read(SHAPE_SHIFT).hashCode());
    assertNotEquals(read(SHAPE_SHIFT), smaller);
    assertNotEquals(read(SHAPE_SHIFT), read("{}"));
    assertNotEquals(read("{}"), read(SHAPE_SHIFT));
    assertNotEquals(read(SHAPE_SHIFT).getEffectiveSpec(), smaller.getEffectiveSpec());
    assertTrue(smaller.toString().contains("optimizationTarget=SMALLER"), smaller.toString());
  }

  @Test
  void effectiveSpecsRoundTrip() throws JsonProcessingException {
    for (String json : new String[]{"{}", SHAPE_SHIFT, COMPRESSION}) {
      final IndexSpec effective = read(json).getEffectiveSpec();
      assertEquals(effective, effective.getEffectiveSpec());
      assertEquals(effective, read(JSON.writeValueAsString(effective)));
      assertEquals(effective, JSON.convertValue(effective, IndexSpec.class));
    }
    assertEquals(read("{}").getEffectiveSpec(), read(COMPRESSION).getEffectiveSpec());
  }

  @Test
  void tuningConfigsCarryTheOption() throws JsonProcessingException {
    final String tuningConfig = "{\"type\": \"index_parallel\", \"indexSpec\": " + SHAPE_SHIFT
        + ", \"indexSpecForIntermediatePersists\": " + COMPRESSION + "}";
    final ObjectMapper json = JSON.copy().registerModules(new IndexingServiceTuningConfigModule().getJacksonModules());
    final ParallelIndexTuningConfig task = json.readValue(tuningConfig, ParallelIndexTuningConfig.class);
    assertEquals(DEFAULT_SHAPE_SHIFT, strategyOf(task.getIndexSpec()));
    assertEquals(EncodingStrategy.COMPRESSION, strategyOf(task.getIndexSpecForIntermediatePersists()));
    assertEquals(task, json.readValue(json.writeValueAsString(task), ParallelIndexTuningConfig.class));

    final ClientCompactionTaskQueryTuningConfig compaction =
        json.readValue(tuningConfig, ClientCompactionTaskQueryTuningConfig.class);
    assertEquals(DEFAULT_SHAPE_SHIFT, strategyOf(compaction.getIndexSpec()));
    assertEquals(
        compaction,
        json.readValue(json.writeValueAsString(compaction), ClientCompactionTaskQueryTuningConfig.class)
    );
  }

  @Test
  void theSystemDefaultCanBeSet() throws JsonProcessingException {
    final Properties properties = new Properties();
    properties.setProperty("druid.indexing.formats.indexSpec", SHAPE_SHIFT);
    final DefaultColumnFormatConfig config =
        new JsonConfigurator(JSON, Validation.buildDefaultValidatorFactory().getValidator())
            .configurate(properties, "druid.indexing.formats", DefaultColumnFormatConfig.class);
    setSystemDefault(config.getIndexSpec());

    assertEquals(DEFAULT_SHAPE_SHIFT, strategyOf(IndexSpec.getDefault().getEffectiveSpec()));
    final IndexSpec silent = read("{\"dimensionCompression\": \"zstd\"}");
    assertEquals(CompressionStrategy.ZSTD, silent.getEffectiveSpec().getDimensionCompression());
    assertEquals(DEFAULT_SHAPE_SHIFT, strategyOf(silent.getEffectiveSpec()));
    assertEquals(silent, read(JSON.writeValueAsString(silent)));

    final IndexSpec overruling = read(COMPRESSION).getEffectiveSpec();
    assertEquals(EncodingStrategy.COMPRESSION, ShapeShiftIndexSpec.encodingOf(overruling, EncodedType.INT));
    assertEquals(overruling, read(JSON.writeValueAsString(overruling)).getEffectiveSpec());
  }

  /** Auto-compaction compares the effective specs of what it would write and of what was written. */
  @Test
  void compactionStatesTellWhatWasWritten() throws JsonProcessingException {
    final IndexSpec shapeShift = read(SHAPE_SHIFT).getEffectiveSpec();
    final IndexSpec stock = read("{}").getEffectiveSpec();
    final String shapeShiftState = JSON.writeValueAsString(state(shapeShift));
    final String stockState = JSON.writeValueAsString(state(stock));
    assertEquals(shapeShift, writtenBy(shapeShiftState));
    assertEquals(stock, writtenBy(stockState));

    setSystemDefault(read(SHAPE_SHIFT));
    assertEquals(read("{}").getEffectiveSpec(), writtenBy(shapeShiftState));
    assertNotEquals(read("{}").getEffectiveSpec(), writtenBy(stockState));
    assertEquals(read(COMPRESSION).getEffectiveSpec(), writtenBy(stockState));
  }

  private static CompactionState state(IndexSpec spec) {
    return new CompactionState(null, null, null, null, spec, null, null);
  }

  private static IndexSpec writtenBy(String state) throws JsonProcessingException {
    return JSON.readValue(state, CompactionState.class).getIndexSpec().getEffectiveSpec();
  }
}
