// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/** Extensions of Druid that a test compiles and puts into a jar, so that their classes are not those of the test. */
final class ExtensionJar {
  private static final String SOURCE = """
      package made;
      import io.shapeshift.druid.api.*;
      import java.nio.ByteBuffer;
      import java.util.*;
      public final class Made implements IntEncoding, org.apache.druid.initialization.DruidModule {
        @Override public void configure(com.google.inject.Binder binder) {
          ShapeShiftEncodings.ints(binder).addBinding().toInstance(this);
        }
        @Override public String name() { return "NAME"; }
        @Override public ReadCost cost() { return ReadCost.NONE; }
        @Override public Set<IntUse> uses() { return EnumSet.allOf(IntUse.class); }
        @Override public SizeEstimate estimate(IntValues values) { return ESTIMATE; }
        @Override public double scanNanos(IntValues values) { return 0.01; }
        @Override public double sparseNanos(IntValues values) { return 0; }
        @Override public void encode(IntValues values, ByteBuffer out) { throw new IllegalStateException("boom"); }
        @Override public IntReader open(ByteBuffer chunk, int numValues) { return index -> 0; }
      }
      """;

  private ExtensionJar() {}

  /** Extension with an encoding that stores nothing. */
  static Path ofEncoding(Path folder, String name, boolean withDependencies) throws IOException {
    return write(folder, name, "SizeEstimate.skip()", withDependencies);
  }

  /** Extension with an encoding that wants to store all ints, and fails. */
  static Path ofFailingEncoding(Path folder, String name) throws IOException {
    return write(folder, name, "SizeEstimate.exact(1)", true);
  }

  private static Path write(Path folder, String name, String estimate, boolean withDependencies) throws IOException {
    final Path source = Files.createDirectories(folder.resolve("made")).resolve("Made.java");
    Files.writeString(source, SOURCE.replace("NAME", name).replace("ESTIMATE", estimate));
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(
        null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), source.toString()));
    final Map<String, byte[]> files = new TreeMap<>(Map.of(
        "made/Made.class", Files.readAllBytes(source.resolveSibling("Made.class")),
        "META-INF/services/org.apache.druid.initialization.DruidModule", "made.Made".getBytes(StandardCharsets.UTF_8)
    ));
    if (withDependencies) {
      final String dependencies = "{\"dependsOnDruidExtensions\": [\"druid-shapeshift\"]}";
      files.put("druid-extension-dependencies.json", dependencies.getBytes(StandardCharsets.UTF_8));
    }
    final Path jar = folder.resolve(name + ".jar");
    try (OutputStream out = Files.newOutputStream(jar); JarOutputStream entries = new JarOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        entries.putNextEntry(new ZipEntry(file.getKey()));
        entries.write(file.getValue());
      }
    }
    return jar;
  }
}
