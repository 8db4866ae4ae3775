// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the unpacked distribution has beside the tool. */
class DistributionIT {
  private static final Path ROOT = Path.of(System.getProperty("distribution"));
  /** Its license, or several, and its coordinates. */
  private static final Pattern LIBRARY = Pattern.compile(" +((?:\\([^)]*\\) )+).*\\([^:()]+:([^:]+):([^ ]+) - .*\\)");
  private static final Pattern WITHOUT_A_TEXT = Pattern.compile("\\((The )?Apache|\\(Public Domain\\)");
  private static final Pattern TEXT =
      Pattern.compile("(META-INF/|.*/)?(LICENSE|license|about)[^/]*(?<!\\.class)", Pattern.CASE_INSENSITIVE);

  /** Apache's is the project's own, and the others ask to be where the library is. */
  @Test
  void eachLibraryHasItsLicense() throws IOException {
    final List<String> libraries = Files.readAllLines(ROOT.resolve("THIRD-PARTY.txt"));
    final Set<String> kept;
    try (Stream<Path> files = Files.list(ROOT.resolve("licenses"))) {
      kept = files.map(file -> file.getFileName().toString().replace(".txt", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
    final Set<String> used = new TreeSet<>();
    final List<String> missing = new ArrayList<>();
    for (Path jar : jars()) {
      final String file = jar.getFileName().toString();
      final Optional<Matcher> library = libraries.stream().map(LIBRARY::matcher)
          .filter(line -> line.matches() && file.equals(line.group(2) + "-" + line.group(3) + ".jar")).findFirst();
      if (library.isEmpty()) {
        assertTrue(file.startsWith("druid-shapeshift"), file);
        continue;
      }
      // One text for all modules of asm; LZ4 is within lz4-java.
      final String text = library.get().group(2).replaceFirst("^asm-.*", "asm");
      if (kept.contains(text)) {
        used.add(text);
      } else if (!WITHOUT_A_TEXT.matcher(library.get().group(1)).find() && !hasText(jar)) {
        missing.add(file + " " + library.get().group(1));
      }
    }
    assertEquals(List.of(), missing);
    assertEquals(kept, used);
  }

  private static List<Path> jars() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("lib"))) {
      return files.sorted().toList();
    }
  }

  private static boolean hasText(Path jar) throws IOException {
    try (JarFile files = new JarFile(jar.toFile())) {
      return files.stream().anyMatch(entry -> !entry.isDirectory() && TEXT.matcher(entry.getName()).matches());
    }
  }
}
