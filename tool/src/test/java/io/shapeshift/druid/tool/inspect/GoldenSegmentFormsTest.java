// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.base.Splitter;
import io.shapeshift.druid.segment.golden.GoldenSegment;
import io.shapeshift.druid.tool.inspect.Inspection.ColumnInspection;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import io.shapeshift.druid.tool.verify.VerifiedSegment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Golden segments have every kind of part, and all forms but those of ints that writers choose for none of these rows.
 * {@code PythonReaderTest} tells which layouts they have beyond forms and within objects.
 */
class GoldenSegmentFormsTest {
  @TempDir
  private Path folder;

  private final Set<String> ints = new TreeSet<>();
  private final Set<String> numbers = new TreeSet<>();
  private final Set<String> lists = new TreeSet<>();
  private final Set<String> dictionaries = new TreeSet<>();
  private final Set<String> objects = new TreeSet<>();
  private final Set<String> parts = new TreeSet<>();

  private void collect(ColumnInspection column) {
    for (PartInspection part : column.parts()) {
      parts.add(part.name());
      part.chunks().forEach(chunk -> {
        switch (part.name()) {
          case "index", "elements", "hashLists" -> lists.add(chunk.form());
          case "dictionary" -> dictionaries.add(chunk.form());
          case "objects" -> objects.add(chunk.form());
          case "hashIndex", "textIndex" -> { }
          case "numbers" -> {
            final List<String> names = Splitter.on('-').splitToList(chunk.form());
            final boolean isFramed = names.size() > 1 && !names.get(0).equals("raw");
            numbers.add(isFramed ? names.get(0) : chunk.form());
            if (isFramed) {
              ints.add(names.get(1));
            }
          }
          default -> ints.add(
              chunk.innerForm() == null ? chunk.form() : chunk.form() + " of " + chunk.innerForm());
        }
      });
    }
  }

  @Test
  void haveAllForms() throws IOException {
    for (GoldenSegment kind : GoldenSegment.all()) {
      final Path directory = Files.createDirectory(folder.resolve(kind.toString()));
      try (InputStream zip = GoldenSegment.class.getResourceAsStream(kind.resource())) {
        CompressionUtils.unzip(zip, directory.toFile());
      }
      try (Segment segment = Segment.open(directory)) {
        Inspector.inspect(segment, column -> true).columns().forEach(this::collect);
        final VerifiedSegment verified = SegmentVerifier.check(segment, column -> true);
        assertEquals(0, verified.countProblems(), verified::toString);
      }
    }
    assertAll(
        () -> assertEquals(
            set("dictionary, elements, hashIndex, hashLists, ids, index, numbers, objects, offsets, textIndex, values"),
            parts),
        () -> assertEquals(
            set("constant, distinct lz4, distinct plain, distinct words, kept, lz4, plain, structures, words, zstd"),
            objects),
        () -> assertEquals(
            set(
                "bitpack, bytepack, constant, delta, dictionary, lz4 of bits, lz4 of bytepack, lz4 of shuffle, "
                    + "patched, radix, runend, tans, zero, zstd, zstd of bits, zstd of bytepack, zstd of shuffle"),
            ints
        ),
        () -> assertEquals(
            set("decimal, delta, dictionary, linear, raw, raw-lz4, raw-zstd, split, wide"), numbers),
        () -> assertEquals(set("complement, delta, eliasfano, packedrows, roaring, runs"), lists),
        () -> assertEquals(
            set(
                "shapeshift blocks, shapeshift chained, shapeshift pattern, shapeshift front, "
                    + "shapeshift front-suffix-symbols, utf8"),
            dictionaries
        )
    );
  }

  private static Set<String> set(String names) {
    return new TreeSet<>(Splitter.on(", ").splitToList(names));
  }

}
