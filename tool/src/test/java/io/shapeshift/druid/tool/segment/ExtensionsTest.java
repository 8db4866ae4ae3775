// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is no extension ends the tool before it does anything. */
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
}
