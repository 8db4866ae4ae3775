// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.select.InstalledEncodings;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages about extensions. What is no extension ends the tool before it does anything. */
class ExtensionsTest {
  private static final String WHAT = ". --extension names a jar, or the folder of an extension's jars";

  @TempDir
  private Path folder;

  private void assertRefused(Path extension, String found) {
    final ToolProcess.Result result = ToolInJvm.run("inspect", "--extension", extension.toString(), folder.toString());
    assertEquals(2, result.exitCode());
    assertEquals("shapeshift: " + extension + ": " + found + WHAT, result.err().lines().findFirst().orElse(""));
  }

  @Test
  void noFile() {
    assertRefused(folder.resolve("none.jar"), "there is no jar");
  }

  @Test
  void aFolderWithoutJars() {
    assertRefused(folder, "there is no jar");
  }

  @Test
  void aJarWithoutModules() throws IOException {
    final Path jar = folder.resolve("empty.jar");
    new JarOutputStream(Files.newOutputStream(jar)).close();
    assertRefused(jar, "it is no extension of Druid, as no jar has a file"
        + " META-INF/services/org.apache.druid.initialization.DruidModule");
  }

  /** Runs the tool with an extension, whose encodings other tests do not get. */
  @SuppressWarnings("try")
  private static List<String> messages(int exitCode, Path extension, String command, String... args) {
    final List<String> all = new ArrayList<>(List.of(command, "--extension", extension.toString()));
    all.addAll(List.of(args));
    try (InstalledEncodings installed = InstalledEncodings.of()) {
      final ToolProcess.Result result = ToolInJvm.run(all.toArray(String[]::new));
      assertEquals(exitCode, result.exitCode(), result.err());
      return result.err().lines().toList();
    }
  }

  @Test
  void namesItsEncodings() throws IOException {
    final Path jar = ExtensionJar.ofEncoding(folder, "made.here", true);
    final List<String> messages = messages(0, jar, "inspect", "--help");
    assertEquals(1, messages.size(), messages::toString);
    assertTrue(messages.get(0).matches("shapeshift: Encodings of other jars: \\[.*made.here.*]"), messages.get(0));
  }

  @Test
  void warnsOfAJarThatNoServiceCanLoad() throws IOException {
    final Path jar = ExtensionJar.ofEncoding(folder, "made.alone", false);
    final List<String> messages = messages(0, jar, "inspect", "--help");
    assertEquals(
        "shapeshift: warning: " + jar + " has no druid-extension-dependencies.json with"
            + " {\"dependsOnDruidExtensions\": [\"druid-shapeshift\"]}, so a Druid service cannot load it",
        messages.get(1)
    );
  }

  @Test
  void refusesAWrongNameInOneLine() throws IOException {
    final Path jar = ExtensionJar.ofEncoding(folder, "made", true);
    final List<String> messages = messages(2, jar, "inspect", folder.toString());
    assertEquals(
        "shapeshift: the extensions [" + jar + "]: The name[made] of the encoding made.Made is not allowed: it needs"
            + " two or more words with dots between them, at most 60 characters, as in acme.periodic. A word has a"
            + " lower-case letter and then lower-case letters, digits and _; the first word is the vendor, other than"
            + " shapeshift",
        messages.get(0)
    );
    assertEquals(2, messages.size(), messages::toString);
  }

  /** The fault is not the tool's. */
  @Test
  void reportsAFailingEncodingInOneLine() throws IOException {
    final Path jar = ExtensionJar.ofFailingEncoding(folder, "made.failing");
    final Path table = Files.writeString(folder.resolve("table.csv"), "time,host\n" + "1767225600,a\n1767225601,b\n"
        .repeat(3000));
    final List<String> messages = messages(
        3, jar, "build", "--input", table.toString(), "--timestamp", "time", "--out", folder.resolve("out").toString());
    final String last = messages.get(messages.size() - 1);
    assertTrue(
        last.matches("shapeshift: .*Encoding\\[made.failing] failed to encode \\d+ values:"
            + " java.lang.IllegalStateException: boom. Report this to the author of the jar that has it, and remove the"
            + " jar where segments are written"),
        messages::toString
    );
    assertEquals(1, messages.stream().filter(line -> line.contains("boom")).count(), messages::toString);
  }
}
