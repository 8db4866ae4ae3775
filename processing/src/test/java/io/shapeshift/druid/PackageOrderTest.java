// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A package imports only from itself and from those that docs/architecture.md lists above it. */
class PackageOrderTest {
  private static final Path DOCS = Path.of("..", "docs", "architecture.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "shapeshift", "druid");
  private static final Pattern LISTED = Pattern.compile("- `([a-z/]+)`: .*");
  private static final Pattern IMPORT = Pattern.compile("import (?:static )?io\\.shapeshift\\.druid\\.([a-z.]+)\\..*");

  private static List<String> listed() throws IOException {
    return Files.readAllLines(DOCS).stream()
        .dropWhile(line -> !line.startsWith("Module `processing`"))
        .takeWhile(line -> !line.startsWith("Module `tool`"))
        .map(LISTED::matcher)
        .filter(Matcher::matches)
        .map(matcher -> matcher.group(1))
        .toList();
  }

  /** Returns the place in the list of a package, or of the one that it is below; -1 if neither is listed. */
  private static int place(List<String> listed, String name) {
    final int place = listed.indexOf(name);
    return place >= 0 || !name.contains("/") ? place : place(listed, name.substring(0, name.lastIndexOf('/')));
  }

  @Test
  void importsComeFromAbove() throws IOException {
    final List<String> listed = listed();
    final TreeSet<String> found = new TreeSet<>();
    final List<String> errors = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).sorted().toList()) {
        final String name = SOURCES.relativize(file.getParent()).toString().replace('\\', '/');
        final int place = place(listed, name);
        found.add(place < 0 ? name : listed.get(place));
        for (String line : Files.readAllLines(file)) {
          final Matcher matcher = IMPORT.matcher(line);
          if (matcher.matches() && place(listed, matcher.group(1).replace('.', '/')) > place) {
            errors.add(file.getFileName() + " of " + name + ": " + line);
          }
        }
      }
    }
    assertEquals(new TreeSet<>(listed), found, "packages in the list of " + DOCS + ", and those with sources");
    assertEquals(List.of(), errors, "imports from packages further down in the list of " + DOCS);
  }
}
