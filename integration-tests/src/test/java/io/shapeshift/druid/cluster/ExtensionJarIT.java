// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The jar of the extension, as it is released, holds what Druid needs and nothing else. */
class ExtensionJarIT {
  private static final String OURS = "io/shapeshift/druid/";
  /** The packages, and that of JavaFastPFOR, which is there under a name of our own. */
  private static final Set<String> PACKAGES =
      Set.of(
          "bits", "column", "cost", "form", "incremental", "metrics", "rows", "segment", "select", "stock",
          "shaded/integercompression");

  @Test
  void itHoldsTheExtensionAndJavaFastPfor() throws IOException {
    final Set<String> packages = new TreeSet<>();
    for (String file : files()) {
      if (!file.startsWith("META-INF/")) {
        assertTrue(file.startsWith(OURS) && file.endsWith(".class"), file);
        packages.add(packageOf(file.substring(OURS.length())));
      }
    }
    assertEquals(new TreeSet<>(PACKAGES), packages);
  }

  /** The first name of a path, and the second of what is not ours. */
  private static String packageOf(String path) {
    final String[] names = path.split("/", -1);
    return names[0].equals("shaded") ? names[0] + "/" + names[1] : names[0];
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

  private static List<String> files() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("extension.jar"))) {
      return jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();
    }
  }
}
