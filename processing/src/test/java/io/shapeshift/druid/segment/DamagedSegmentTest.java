// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ColumnHeader;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damage to the segment's file gives one error, which names the column. */
class DamagedSegmentTest {
  private static final String DAMAGED =
      "The segment is damaged: fetch it again from deep storage, or ingest its interval again";
  private static final String FROM_THE_FUTURE = "A newer druid-shapeshift wrote it, unless the segment is damaged: use"
      + " the release that wrote it, or a newer one, on every Druid service";
  private static final int NUM_ROWS = 5000;

  @TempDir
  private File folder;

  /** A segment of one column, {@code page}, with ids 0 to 2: bytes per row, in a form of one chunk. */
  private File segment(Version version) {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < NUM_ROWS; i++) {
      rows.add(Map.of("time", DateTimes.utc(i).toString(), "page", "page" + i % 2));
    }
    final IncrementalIndex index = TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("page"))))
            .withRollup(false)
            .build(),
        rows
    );
    return TestSegments.persist(index, new File(folder, "segment"), TestSegments.SHAPE_SHIFT, version);
  }

  /** Changes one byte of the column of ids, which is found by the head that it must have. */
  private static void damage(File segment, Version version, int offset, int value) throws IOException {
    final File file = new File(segment, version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME);
    final byte[] bytes = Files.readAllBytes(file.toPath());
    final ByteBuffer head = ByteBuffer.allocate(ColumnHeader.FIXED_SIZE).order(ByteOrder.nativeOrder());
    head.put((byte) 1).put((byte) 12).put((byte) 1).putInt(NUM_ROWS);
    final int start = new String(bytes, StandardCharsets.ISO_8859_1)
        .indexOf(new String(head.array(), StandardCharsets.ISO_8859_1));
    bytes[start + offset] = (byte) value;
    Files.write(file.toPath(), bytes);
  }

  private static void readAll(File segment) throws IOException {
    try (QueryableIndex index = TestSegments.open(segment);
         var column = (StringUtf8DictionaryEncodedColumn) index.getColumnHolder("page").getColumn()) {
      for (int row = 0; row < column.length(); row++) {
        assertEquals(row % 2, column.getSingleValueRow(row));
      }
    }
  }

  private void assertMessage(Version version, int offset, int value, String found, String toDo) throws IOException {
    final File segment = segment(version);
    readAll(segment);
    damage(segment, version, offset, value);
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> readAll(segment));
    final String column = version == Version.V9 ? "page" : "__base/page";
    assertEquals("Column[" + column + "]: " + found + ". " + toDo, e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void unknownVersion(Version version) throws IOException {
    assertMessage(
        version, 0, 9, "its version at offset 0 is 9, this druid-shapeshift knows 1", FROM_THE_FUTURE);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void unknownForm(Version version) throws IOException {
    assertMessage(
        version,
        7,
        99,
        "it has chunks in form 99 (at offset 7), which this druid-shapeshift does not know",
        FROM_THE_FUTURE
    );
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void contradictingHeader(Version version) throws IOException {
    assertMessage(version, 1, 7, "the composition at offset 7 counts 1 chunks, expected 3 to 40", DAMAGED);
  }

  @Test
  void damagedChunk() throws IOException {
    assertMessage(
        Version.V9,
        26,
        0,
        "chunk 0 at offset 26 (zero): zero has 20 bytes, expected 1",
        DAMAGED
    );
  }
}
