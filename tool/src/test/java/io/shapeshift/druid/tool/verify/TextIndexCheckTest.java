// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.TextRows;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text indexes of whole segments agree with the texts, or the damage is found. */
class TextIndexCheckTest {
  @TempDir
  private Path folder;

  private static StringDictionary dictionary(Segment segment, String column) {
    return column.equals("nested")
           ? NestedPart.of(segment.baseColumn(column)).ours().dictionaries().get(0)
           : segment.baseColumn(column).parts().dictionary().ours();
  }

  private static String firstProblem(Path path) {
    try (Segment segment = Segment.open(path)) {
      return SegmentVerifier.check(segment, column -> true).firstProblem();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void agreesWithTheTexts(Version version) {
    final Path path = TestSegments.persist(
        TextRows.inMemory(4000), folder.resolve("indexed").toFile(), TextRows.INDEXED, version).toPath();
    try (Segment segment = Segment.open(path)) {
      for (String column : TextRows.COLUMNS) {
        assertNotNull(dictionary(segment, column).textIndex(), column);
      }
    }
    assertNull(firstProblem(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "auto"})
  void damageIsFound(String column) throws IOException {
    final Path path = TestSegments.persist(
        TextRows.inMemory(4000), folder.resolve("indexed").toFile(), TextRows.INDEXED, Version.V9).toPath();
    final ByteBuffer dictionary;
    final int end;
    try (Segment segment = Segment.open(path)) {
      final DictionaryPart part = segment.baseColumn(column).parts().dictionary();
      dictionary = ByteBuffer.allocate(part.bytes().remaining()).put(part.bytes().duplicate());
      end = dictionary.capacity() - part.ours().textIndex().sizeInBytes();
    }
    final Path file = path.resolve("00000.smoosh");
    final byte[] damaged = Files.readAllBytes(file);
    // Slots that are frequent, and have empty lists, are so no more.
    int at = Bytes.indexOf(damaged, dictionary.array()) + end + 2;
    while (damaged[at] == 0) {
      at++;
    }
    damaged[at] = 0;
    Files.write(file, damaged);
    final String problem = firstProblem(path);
    assertTrue(problem != null && problem.contains("text index"), () -> column + ": " + problem);
  }
}
