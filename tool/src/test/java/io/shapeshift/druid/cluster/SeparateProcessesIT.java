// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.tool.segment.ColumnLayout;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packed jar in a Druid of separate processes. Druid loads an extension in a class loader of its own, where what
 * works on one class path can fail: package-private access, services, a dependency that is not in the jar. So the class
 * path of the processes is that of these tests, but without anything of ours except for the stubs.
 */
class SeparateProcessesIT {
  private static final String EXTENSION = "druid-shapeshift";
  private static final Pattern IN_THE_EXTENSION_ONLY = Pattern.compile("druid-shapeshift.*\\.jar|JavaFastPFOR.*\\.jar");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path directory;

  @Test
  void thePackedJarWritesAndReadsInItsOwnClassLoader() throws Exception {
    Path jar = Path.of(System.getProperty("extension.jar"));
    Path extension = Files.createDirectories(directory.resolve("extensions").resolve(EXTENSION));
    Files.copy(jar, extension.resolve(jar.getFileName()));
    List<Path> classPath = classPathWithoutExtension();
    assertHasDruidButNotUs(classPath);

    Wikiticker wikiticker = Wikiticker.extractTo(directory.resolve("sample"));
    try (DruidProcesses processes = DruidProcesses.start(directory, EXTENSION, classPath)) {
      try {
        DruidApi druid = processes.api();
        druid.run(
            Wikiticker.encode(
                wikiticker.ingestion("separate", "{\"spec\": {\"tuningConfig\": " + Wikiticker.OFF_HEAP + "}}"),
                Wikiticker.SHAPE_SHIFT
            ),
            Duration.ofMinutes(2)
        );
        druid.awaitServed("separate", Duration.ofMinutes(1));
        assertShapeShifts(druid.segments("separate"));
        assertEquals(addedPerChannel(wikiticker), addedPerChannel(druid));
      } catch (Exception | AssertionError e) {
        System.err.println(processes.logs());
        throw e;
      }
    }
  }

  /** The jars of the test class path that are not ours, and the stubs, copied from among our test classes. */
  private static List<Path> classPathWithoutExtension() throws IOException {
    List<Path> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isRegularFile(path) && !IN_THE_EXTENSION_ONLY.matcher(path.getFileName().toString()).matches()) {
        classPath.add(path);
      }
    }
    Path testClasses = Path.of(System.getProperty("test.classes"));
    Path stubs = directory.resolve("stubs");
    try (Stream<Path> files = Files.walk(testClasses.resolve("org/apache/druid"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = stubs.resolve(testClasses.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    classPath.add(stubs);
    return classPath;
  }

  private static void assertHasDruidButNotUs(List<Path> classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      urls.add(url(path));
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertEquals(loader, loader.loadClass("org.apache.druid.cli.Main").getClassLoader());
      for (String ours : List.of(
          "io.shapeshift.druid.segment.ShapeShiftModule",
          "io.shapeshift.druid.cluster.DruidApi",
          "me.lemire.integercompression.IntWrapper"
      )) {
        assertThrows(ClassNotFoundException.class, () -> loader.loadClass(ours), () -> ours + " is on the class path");
      }
    }
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }

  private static void assertShapeShifts(List<Segment> segments) throws IOException {
    assertEquals(1, segments.size());
    List<ColumnLayout> columns = ColumnLayout.read(segments.get(0).directory());
    assertFalse(columns.isEmpty(), "no string columns");
    for (ColumnLayout column : columns) {
      assertEquals("shapeshift", column.encoding(), column::toString);
      assertEquals(Wikiticker.ROWS, column.rows(), column::toString);
    }
  }

  /** What the query must answer, from the sample itself. */
  private static Map<String, List<Long>> addedPerChannel(Wikiticker wikiticker) throws IOException {
    Map<String, List<Long>> channels = new TreeMap<>();
    for (JsonNode row : wikiticker.rows()) {
      channels.merge(
          row.get("channel").asText(),
          List.of(1L, row.get("added").asLong()),
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1))
      );
    }
    return channels;
  }

  private static Map<String, List<Long>> addedPerChannel(DruidApi druid) {
    JsonNode rows = druid.query(DruidApi.parse("""
        {
          "queryType": "groupBy",
          "dataSource": "separate",
          "granularity": "all",
          "intervals": ["2015-09-12/2015-09-13"],
          "dimensions": ["channel"],
          "aggregations": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "added", "fieldName": "added"}
          ]
        }"""));
    Map<String, List<Long>> channels = new TreeMap<>();
    for (JsonNode row : rows) {
      JsonNode event = row.get("event");
      channels.put(event.get("channel").asText(), List.of(event.get("rows").asLong(), event.get("added").asLong()));
    }
    assertTrue(channels.size() > 1, () -> "no answer: " + rows);
    return channels;
  }
}
