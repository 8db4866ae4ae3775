// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.golden.GoldenRows;
import io.shapeshift.druid.segment.golden.GoldenSegment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SegmentLazyLoadFailCallback;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole segments with one column of a later release, as a Historical loads them: at once, or with
 * {@code lazyLoadOnStart} column by column. What is refused when, and that the other columns are read.
 */
class LaterSegmentTest {
  private static final List<String> OTHERS = List.of("codes", "tags", "longOutliers", "doubleSplit", "autoDoubles");
  private static final byte LATER = 99;

  @TempDir
  private Path folder;

  private Version version;
  /** The file of columns. */
  private Path file;
  private byte[] bytes;

  private void unzip(Version version) throws IOException {
    this.version = version;
    try (InputStream zip = LaterSegmentTest.class.getResourceAsStream(
        new GoldenSegment(OptimizationTarget.FASTBUTSMALLISH, version).resource())) {
      CompressionUtils.unzip(zip, folder.toFile());
    }
    file = folder.resolve(version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME);
    bytes = Files.readAllBytes(file);
  }

  /** Name of the file of a column of the base table. */
  private String of(String column) {
    return version == Version.V9 ? column : "__base/" + column;
  }

  /** What a column's own file has behind the descriptor. */
  private ByteBuffer body(String name) throws IOException {
    try (StoredSegment segment = StoredSegment.open(folder.toFile())) {
      final ByteBuffer body = segment.column(name).body();
      return ByteBuffer.allocate(body.remaining()).put(body).flip();
    }
  }

  /** Where some bytes are in the file, from an index on. */
  private int find(byte[] some, int from) {
    final int found = new String(bytes, StandardCharsets.ISO_8859_1)
        .indexOf(new String(some, StandardCharsets.ISO_8859_1), from);
    assertTrue(found >= 0, "not there");
    return found;
  }

  /** Where the one column is whose own file has this behind the descriptor. */
  private int findBody(String name) throws IOException {
    final byte[] body = body(name).array();
    final String all = new String(bytes, StandardCharsets.ISO_8859_1);
    final int found = find(body, 0);
    assertEquals(found, all.lastIndexOf(new String(body, StandardCharsets.ISO_8859_1)), "there are two of it");
    return found;
  }

  /** Changes a byte of what a column's own file has behind the descriptor. */
  private void change(String name, int offset, int from, int to) throws IOException {
    final int at = findBody(name) + offset;
    assertEquals(from, bytes[at], name);
    bytes[at] = (byte) to;
    Files.write(file, bytes);
  }

  /** Gives a column a part of a type of the same length that nobody knows. */
  private void changeType(String column, String type) throws IOException {
    // Version 9 has the descriptor in front of the column, 10 all of them in the metadata.
    final int near = version == Version.V9
        ? findBody(column) - descriptorSize(column)
        : find(("\"" + of(column) + "\":{\"valueType\"").getBytes(StandardCharsets.UTF_8), 0);
    final int at = find(("\"" + type + "\"").getBytes(StandardCharsets.UTF_8), near);
    bytes[at + type.length()] = 'X';
    Files.write(file, bytes);
  }

  private int descriptorSize(String column) throws IOException {
    try (StoredSegment segment = StoredSegment.open(folder.toFile())) {
      return segment.files().mapFile(column).remaining() - segment.column(column).body().remaining();
    }
  }

  private QueryableIndex load(boolean lazy) throws IOException {
    return TestSegments.INDEX_IO.loadIndex(folder.toFile(), lazy, SegmentLazyLoadFailCallback.NOOP);
  }

  private static Map<String, Object> others(QueryableIndex index) {
    final Map<String, Object> rows = new TreeMap<>();
    OTHERS.forEach(column -> rows.put(column, CursorRows.rowByRow(index, column, null)));
    return rows;
  }

  private void assertMessage(String column, String found, ColumnFormatException e) {
    assertEquals("Column[" + of(column) + "]: " + found + LaterReleaseTest.NEWER, e.getMessage());
  }

  private interface Change {
    void run() throws IOException;
  }

  /** Asserts that a segment is not loaded once a column is changed, and lazily all but this column is read. */
  private void assertRefusedAtLoad(String column, Change change, String found) throws IOException {
    final Map<String, Object> expected;
    try (QueryableIndex intact = load(false)) {
      expected = others(intact);
    }
    change.run();
    assertMessage(column, found, assertThrows(ColumnFormatException.class, () -> load(false)));
    try (QueryableIndex index = load(true)) {
      assertEquals(expected, others(index));
      for (int again = 0; again < 2; again++) {
        assertMessage(
            column, found, assertThrows(ColumnFormatException.class, () -> index.getColumnHolder(column)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofALaterVersion(Version version) throws IOException {
    unzip(version);
    assertRefusedAtLoad(
        "longWide",
        () -> change(of("longWide"), Integer.BYTES, 1, 2),
        "its version at offset 0 is 2, this druid-shapeshift knows 1"
    );
  }

  @ParameterizedTest
  @EnumSource
  void withAFormThatItsHeadNames(Version version) throws IOException {
    unzip(version);
    final ByteBuffer body = body(of("longWide"));
    final int entry = 7 + 9 * (body.get(Integer.BYTES + 2) - 1);
    assertRefusedAtLoad(
        "longWide",
        () -> change(of("longWide"), Integer.BYTES + entry, body.get(Integer.BYTES + entry), LATER),
        "it has chunks in form 99 (at offset " + entry + "), which this druid-shapeshift does not know"
    );
  }

  /** The descriptor of a column of type auto does not have its name. */
  @ParameterizedTest
  @CsvSource({
      "V9, urls, shapeshift.stringDictionary",
      "V10, urls, shapeshift.stringDictionary",
      "V9, autoLongs, shapeshift.nestedCommonFormat",
      "V10, autoLongs, shapeshift.nestedCommonFormat"
  })
  void ofALaterType(Version version, String column, String type) throws IOException {
    unzip(version);
    assertRefusedAtLoad(
        column,
        () -> changeType(column, type),
        "its descriptor names a type of column that this druid-shapeshift does not know"
    );
  }

  /** Whose ids and texts are read. */
  @ParameterizedTest
  @EnumSource
  void withPostingListsInALaterForm(Version version) throws IOException {
    unzip(version);
    final ByteBuffer body = body(of("urls")).position(1 + Integer.BYTES);
    final StringDictionary texts = StringDictionary.read("urls", body);
    final ByteBuffer ids = body.duplicate().order(ByteOrder.nativeOrder());
    assertEquals(GoldenRows.COUNT, ShapeShiftingColumnarIntsSupplier.read("urls", ids).get().size());
    final int start = ids.position();
    final PostingLists lists = PostingLists.read("urls", ids);
    final PostingLists.ChunkOfLists chunk = lists.chunk(lists.size() - 1);
    final DimFilter filter = equalTo("urls", texts, chunk.firstList());
    final Object expected;
    try (QueryableIndex intact = load(false)) {
      expected = CursorRows.rowByRow(intact, "urls", null);
    }
    change(of("urls"), start + chunk.offset(), body.get(start + chunk.offset()), LATER);
    for (boolean lazy : new boolean[] {false, true}) {
      try (QueryableIndex index = load(lazy)) {
        assertEquals(expected, CursorRows.rowByRow(index, "urls", null));
        assertMessage(
            "urls",
            "a chunk at offset " + chunk.offset() + " of its index has form 99, which is not known",
            assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, "urls", filter))
        );
      }
    }
  }

  private static DimFilter equalTo(String column, StringDictionary texts, int id) {
    return new EqualityFilter(
        column, ColumnType.STRING, StandardCharsets.UTF_8.decode(texts.get().get(id)).toString(), null);
  }

  /** A form within another, of which the head does not tell, is met when the chunk is read. */
  @ParameterizedTest
  @EnumSource
  void withALaterFormWithinAFrame(Version version) throws IOException {
    unzip(version);
    final ByteBuffer values = body(of("longLinear")).position(Integer.BYTES).slice().order(ByteOrder.nativeOrder());
    final ChunkInfo chunk = ShapeShiftingColumnarLongsSupplier.read("longLinear", values).data().chunkOfBlock(0);
    final Object keys;
    try (QueryableIndex intact = load(false)) {
      keys = CursorRows.rowByRow(intact, "longKey", null);
    }
    // Behind the id of the frame, its flags, base and multiplier.
    final int child = chunk.offset() + 2 + 2 * Long.BYTES;
    assertEquals("bitpack", IntForms.byId(values.get(child)).name());
    change(of("longLinear"), Integer.BYTES + child, values.get(child), LATER);
    for (boolean lazy : new boolean[] {false, true}) {
      try (QueryableIndex index = load(lazy)) {
        assertMessage(
            "longLinear",
            "chunk 0 at offset " + chunk.offset() + " (linear): linear holds a chunk in form 99, which is unknown",
            assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, "longLinear", null))
        );
        assertEquals(keys, CursorRows.rowByRow(index, "longKey", null));
      }
    }
  }

  /** Druid opens what a projection groups by with the projection, lazily or not. */
  @ParameterizedTest
  @EnumSource
  void ofALaterVersionOfWhichThereIsAProjection(Version version) throws IOException {
    unzip(version);
    final int dictionary = 1 + Integer.BYTES;
    change(of("few"), dictionary, 1, 4);
    for (boolean lazy : new boolean[] {false, true}) {
      assertMessage(
          "few",
          "the version at offset 0 of its dictionary is 4, this druid-shapeshift knows 1",
          assertThrows(ColumnFormatException.class, () -> load(lazy))
      );
    }
  }

  /** Druid opens a projection's own columns of version 9 when they are read, of version 10 as those of the table. */
  @ParameterizedTest
  @EnumSource
  void ofALaterVersionInAProjection(Version version) throws IOException {
    unzip(version);
    final String name = GoldenRows.PROJECTION + "/few";
    final int ids = 1 + Integer.BYTES;
    final Map<String, Object> expected;
    try (QueryableIndex intact = load(false)) {
      expected = others(intact);
    }
    change(name, ids, 1, 3);
    final String message = "Column[" + name + "]: its version at offset 0 is 3, this druid-shapeshift knows 1"
        + LaterReleaseTest.NEWER;
    if (version == Version.V10) {
      assertEquals(message, assertThrows(ColumnFormatException.class, () -> load(false)).getMessage());
    }
    try (QueryableIndex index = load(version == Version.V10)) {
      assertEquals(expected, others(index));
      final QueryableIndex projection = index.getProjectionQueryableIndex(GoldenRows.PROJECTION);
      assertEquals(
          message,
          assertThrows(ColumnFormatException.class, () -> projection.getColumnHolder("few")).getMessage()
      );
    }
  }
}
