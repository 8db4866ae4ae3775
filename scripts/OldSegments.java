// SPDX-License-Identifier: Apache-2.0

import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.jackson.AggregatorsModule;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMediumFactory;

/**
 * Writes small segments with the Druid on the class path, of a release from 0.22 to 36, one for each indexSpec, into a
 * zip file, of which other segments are kept. One source for all releases, which Java 17 compiles and runs:
 * {@code scripts/old-segments} does. What is not in all releases is found by reflection. Dimensions, metrics and
 * indexSpecs are JSON, as operators write them. Arguments: the zip file, and the start of the segments' names.
 */
final class OldSegments {
  private static final int ROWS = 48;
  private static final long START = 1_704_067_200_000L;

  private static final List<String> DIMENSIONS = List.of(
      "{'type':'string','name':'plain'}",
      "{'type':'string','name':'text'}",
      "{'type':'string','name':'unindexed','createBitmapIndex':false}",
      "{'type':'string','name':'multi','multiValueHandling':'ARRAY'}",
      "{'type':'string','name':'multiUnindexed','createBitmapIndex':false}",
      "{'type':'string','name':'constant'}",
      "{'type':'string','name':'nulls'}",
      "{'type':'spatial','name':'place','dims':['x','y']}",
      "{'type':'long','name':'long'}",
      "{'type':'long','name':'longOrNull'}",
      "{'type':'float','name':'float'}",
      "{'type':'double','name':'double'}",
      "{'type':'double','name':'doubleOrNull'}"
  );
  private static final String METRICS =
      "[{'type':'count','name':'count'},"
      + "{'type':'longSum','name':'longSum','fieldName':'in'},"
      + "{'type':'doubleSum','name':'doubleSum','fieldName':'in'},"
      + "{'type':'floatMax','name':'floatMax','fieldName':'in'},"
      + "{'type':'longMin','name':'longMin','fieldName':'missing'},"
      + "{'type':'hyperUnique','name':'unique','fieldName':'text'}]";
  /** Of the first dimensions in their order: Druid 31 takes others for these. */
  private static final String PROJECTIONS =
      "[{'type':'aggregate','name':'byPlain',"
      + "'groupingColumns':[{'type':'string','name':'plain'},{'type':'string','name':'text'}],"
      + "'aggregators':[{'type':'longSum','name':'sum','fieldName':'long'},{'type':'count','name':'rows'}]}]";

  /** Modules of {@code json} and {@code auto} columns: that of releases 24 to 30, and its successor. */
  private static final List<String> NESTED =
      List.of("org.apache.druid.guice.NestedDataModule", "org.apache.druid.guice.BuiltInTypesModule");

  private OldSegments() {}

  /** How a segment is written: whether it is rolled up, and its indexSpec. Druid leaves out options that it lacks. */
  private record Spec(boolean rollup, String json) {}

  /** How segments are written, by name. */
  private static Map<String, Spec> specs() {
    final Map<String, Spec> specs = new LinkedHashMap<>();
    specs.put("default", new Spec(false, "{}"));
    specs.put("concise", new Spec(
        true,
        "{'bitmap':{'type':'concise'},'dimensionCompression':'lzf','metricCompression':'lzf','longEncoding':'auto',"
        + "'jsonCompression':'lzf','complexMetricCompression':'lzf','metadataCompression':'lz4'}"
    ));
    specs.put("zstd", new Spec(
        true,
        "{'bitmap':{'type':'roaring'},'dimensionCompression':'zstd','metricCompression':'zstd',"
        + "'longEncoding':'longs','jsonCompression':'zstd','complexMetricCompression':'zstd',"
        + "'stringDictionaryEncoding':{'type':'frontCoded','bucketSize':4,'formatVersion':1},"
        + "'autoColumnFormatSpec':{'longColumnEncoding':'auto','stringDictionaryEncoding':{'type':'utf8'}}}"
    ));
    specs.put("uncompressed", new Spec(
        false,
        "{'bitmap':{'type':'roaring','compressRunOnSerialization':false},'dimensionCompression':'uncompressed',"
        + "'metricCompression':'none','longEncoding':'auto','jsonCompression':'uncompressed',"
        + "'stringDictionaryEncoding':{'type':'frontCoded','bucketSize':1,'formatVersion':0}}"
    ));
    return specs;
  }

  public static void main(String[] args) throws Exception {
    call("org.apache.druid.common.config.NullHandling", "initializeForTests");
    final ObjectMapper json = mapper();
    final boolean hasNested = NESTED.stream().anyMatch(OldSegments::exists);
    final Path directory = Files.createTempDirectory("old-segments");
    final Path out = Path.of(args[0]);
    final Map<String, byte[]> files = new TreeMap<>();
    unzip(out, files);
    for (Map.Entry<String, Spec> spec : specs().entrySet()) {
      final IndexSpec indexSpec;
      try {
        indexSpec = json.readValue(quoted(spec.getValue().json), IndexSpec.class);
      } catch (IllegalArgumentException | JsonMappingException e) {
        System.err.println(spec.getKey() + " is left out: " + e.getMessage().lines().findFirst().orElse(""));
        continue;
      }
      final String name = args[1] + "-" + spec.getKey();
      final File segment = directory.resolve(name).toFile();
      write(json, hasNested, spec.getValue().rollup, indexSpec, segment);
      try (Stream<Path> written = Files.list(segment.toPath())) {
        for (Path file : written.toList()) {
          files.put(name + "/" + file.getFileName(), Files.readAllBytes(file));
        }
      }
    }
    zip(files, out);
  }

  private static void write(ObjectMapper json, boolean hasNested, boolean rollup, IndexSpec spec, File out)
      throws Exception {
    final List<String> dimensions = new ArrayList<>(DIMENSIONS);
    if (hasNested) {
      dimensions.add("{'type':'json','name':'json'}");
      if (exists("org.apache.druid.segment.AutoTypeColumnSchema")) {
        for (String auto : List.of("autoText", "autoLong", "autoDouble", "autoAny", "autoArray", "autoJson")) {
          dimensions.add("{'type':'auto','name':'" + auto + "'}");
        }
      }
    }
    final IncrementalIndexSchema.Builder schema = new IncrementalIndexSchema.Builder()
        .withMinTimestamp(START)
        .withDimensionsSpec(
            json.readValue(quoted("{'dimensions':[" + String.join(",", dimensions) + "]}"), DimensionsSpec.class))
        .withMetrics(json.readValue(quoted(METRICS), AggregatorFactory[].class))
        .withRollup(rollup);
    if (exists("org.apache.druid.data.input.impl.AggregateProjectionSpec")) {
      final Class<?> projection = Class.forName("org.apache.druid.data.input.impl.AggregateProjectionSpec");
      schema.getClass().getMethod("withProjections", List.class).invoke(
          schema,
          (Object) json.readValue(
              quoted(PROJECTIONS), json.getTypeFactory().constructCollectionType(List.class, projection)));
    }
    final IncrementalIndex rows = (IncrementalIndex) new OnheapIncrementalIndex.Builder()
        .setIndexSchema(schema.build())
        .setMaxRowCount(ROWS)
        .build();
    for (int row = 0; row < ROWS; row++) {
      rows.add(new MapBasedInputRow(START + row / 4 * 1000L, names(json, dimensions), row(row)));
    }
    final ColumnConfig config = columnConfig();
    new IndexMergerV9(json, new IndexIO(json, config), OnHeapMemorySegmentWriteOutMediumFactory.instance())
        .persist(rows, out, spec, null);
    rows.close();
  }

  private static List<String> names(ObjectMapper json, List<String> dimensions) throws Exception {
    final List<String> names = new ArrayList<>();
    for (String dimension : dimensions) {
      names.add(json.readTree(quoted(dimension)).path("name").asText());
    }
    return names;
  }

  /** A row of every shape, the same in each release. */
  private static Map<String, Object> row(int number) {
    final Random random = new Random(number / 2);
    final Map<String, Object> row = new LinkedHashMap<>();
    row.put("plain", "p" + random.nextInt(5));
    row.put("text", random.nextInt(4) == 0 ? null : random.nextInt(4) == 0 ? "" : "t\u00e9xt" + random.nextInt(9));
    row.put("unindexed", "u" + random.nextInt(6));
    row.put("multi", switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> List.of();
      case 2 -> List.of("m" + random.nextInt(4));
      default -> List.of("b", "a", "m" + random.nextInt(6), "a");
    });
    row.put("multiUnindexed", List.of("x" + random.nextInt(3), "y" + random.nextInt(3)));
    row.put("constant", "c");
    row.put("x", random.nextInt(4));
    row.put("y", random.nextInt(4));
    row.put("long", random.nextInt(1000) - 500);
    row.put("longOrNull", random.nextInt(3) == 0 ? null : (Object) (long) random.nextInt(10));
    row.put("float", random.nextInt(100) / 4f);
    row.put("double", random.nextDouble());
    row.put("doubleOrNull", random.nextInt(3) == 0 ? null : (Object) (random.nextInt(50) / 10.0));
    row.put("in", random.nextInt(20));
    row.put("json", random.nextInt(6) == 0
                    ? null
                    : new TreeMap<>(Map.of("a", random.nextInt(5), "b", Map.of("c", "d" + random.nextInt(3)))));
    row.put("autoText", random.nextInt(5) == 0 ? null : "a" + random.nextInt(7));
    row.put("autoLong", random.nextInt(5) == 0 ? null : (Object) (long) random.nextInt(9));
    row.put("autoDouble", random.nextInt(5) == 0 ? null : (Object) (random.nextInt(40) / 8.0));
    row.put("autoAny", random.nextInt(5) == 0 ? null : random.nextBoolean() ? "word" : (Object) random.nextInt(4));
    row.put("autoArray", random.nextInt(5) == 0 ? null : Arrays.asList("e" + random.nextInt(3), null, "f"));
    row.put("autoJson", new TreeMap<>(Map.of("k", random.nextInt(3), "l", List.of(1, 2, random.nextInt(4)))));
    return row;
  }

  // ---- what is not in all releases

  private static ObjectMapper mapper() throws Exception {
    final ObjectMapper json = new DefaultObjectMapper();
    json.registerModule(new AggregatorsModule());
    for (String name : NESTED) {
      if (exists(name)) {
        call(name, "registerHandlersAndSerde");
        final Object modules = hasMethod(name, "getJacksonModulesList")
                               ? call(name, "getJacksonModulesList")
                               : Class.forName(name).getMethod("getJacksonModules")
                                      .invoke(Class.forName(name).getConstructor().newInstance());
        for (Object module : (List<?>) modules) {
          json.registerModule((Module) module);
        }
      }
    }
    final InjectableValues.Std values = new InjectableValues.Std()
        .addValue(ObjectMapper.class, json)
        .addValue(ExprMacroTable.class, ExprMacroTable.nil());
    final String config = "org.apache.druid.segment.DefaultColumnFormatConfig";
    if (exists(config)) {
      final Constructor<?> make = Class.forName(config).getConstructors()[0];
      values.addValue(Class.forName(config), make.newInstance(new Object[make.getParameterCount()]));
    }
    return json.setInjectableValues(values);
  }

  private static ColumnConfig columnConfig() throws Exception {
    for (Field field : ColumnConfig.class.getFields()) {
      if (field.getName().equals("DEFAULT")) {
        return (ColumnConfig) field.get(null);
      }
    }
    return (ColumnConfig) Proxy.newProxyInstance(
        OldSegments.class.getClassLoader(), new Class<?>[] {ColumnConfig.class}, (proxy, method, args) -> 0);
  }

  private static boolean exists(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean hasMethod(String type, String name) throws ClassNotFoundException {
    return Stream.of(Class.forName(type).getMethods()).anyMatch(method -> method.getName().equals(name));
  }

  /** Calls a static method where there is one. */
  private static Object call(String type, String name) throws Exception {
    if (!exists(type) || !hasMethod(type, name)) {
      return null;
    }
    return Class.forName(type).getMethod(name).invoke(null);
  }

  private static String quoted(String json) {
    return json.replace('\'', '"');
  }

  // ---- the zip file

  private static void unzip(Path out, Map<String, byte[]> files) throws Exception {
    if (!Files.exists(out)) {
      return;
    }
    try (InputStream file = Files.newInputStream(out); ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), zip.readAllBytes());
      }
    }
  }

  private static void zip(Map<String, byte[]> files, Path out) throws Exception {
    try (OutputStream file = Files.newOutputStream(out); ZipOutputStream zip = new ZipOutputStream(file)) {
      for (Map.Entry<String, byte[]> each : files.entrySet()) {
        final ZipEntry entry = new ZipEntry(each.getKey());
        // The same bytes whenever it is written.
        entry.setTimeLocal(LocalDateTime.of(2024, 1, 1, 0, 0));
        zip.putNextEntry(entry);
        zip.write(each.getValue());
        zip.closeEntry();
      }
    }
  }
}
