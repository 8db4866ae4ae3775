// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** Tests that the released jar has the packages that Druid needs, and no others. */
class ExtensionJarIT {
  private static final String OURS = "io/shapeshift/druid/";
  private static final Set<String> PACKAGES = Set.of(
      "api", "bits", "column", "cost", "form", "incremental", "metrics", "pool", "rows", "segment", "select", "stock");

  @Test
  void itHoldsTheExtensionAlone() throws IOException {
    final Set<String> packages = new TreeSet<>();
    for (String file : files()) {
      if (!file.startsWith("META-INF/")) {
        assertTrue(file.startsWith(OURS) && file.endsWith(".class"), file);
        packages.add(file.substring(OURS.length()).split("/", 2)[0]);
      }
    }
    assertEquals(new TreeSet<>(PACKAGES), packages);
  }

  @Test
  void itsMetadataIsItsOwn() throws IOException {
    final String pom = "META-INF/maven/io.shapeshift/druid-shapeshift/";
    assertEquals(
        Set.of(
            "META-INF/LICENSE",
            "META-INF/MANIFEST.MF",
            "META-INF/NOTICE",
            pom + "pom.properties",
            pom + "pom.xml",
            "META-INF/services/org.apache.druid.initialization.DruidModule"
        ),
        Set.copyOf(files().stream().filter(file -> file.startsWith("META-INF/")).toList())
    );
  }

  /** Permissions would make the jar another one under another umask. */
  @Test
  void itsEntriesHaveNoPermissions() throws IOException {
    try (FileSystem jar = FileSystems.newFileSystem(Path.of(System.getProperty("extension.jar")))) {
      for (String file : files()) {
        assertNull(Files.getAttribute(jar.getPath(file), "zip:permissions"), file);
      }
    }
  }

  private static List<String> files() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("extension.jar"))) {
      return jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();
    }
  }
}
