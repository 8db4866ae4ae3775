// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.druid.segment.IndexMerger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowConversionsTest {
  private static final int NONE = IndexMerger.INVALID_ROW;

  @TempDir
  private File directory;

  private static int[] toArray(IntBuffer numbers) {
    final int[] array = new int[numbers.remaining()];
    numbers.duplicate().get(array);
    return array;
  }

  @Test
  void rowsThatAreNotMergedAreTold() throws IOException {
    try (RowConversions conversions = new RowConversions(directory, 5, 0, 3, 2)) {
      conversions.put(0, 1, 0);
      conversions.put(2, 0, 0);
      conversions.put(0, 3, 1);
      conversions.put(2, 1, 1);
      conversions.put(2, 2, 2);
      final List<IntBuffer> completed = conversions.complete();
      assertEquals(4, completed.size());
      assertArrayEquals(new int[] {NONE, 0, NONE, 1, NONE}, toArray(completed.get(0)));
      assertArrayEquals(new int[] {}, toArray(completed.get(1)));
      assertArrayEquals(new int[] {0, 1, 2}, toArray(completed.get(2)));
      assertArrayEquals(new int[] {NONE, NONE}, toArray(completed.get(3)));
    }
  }

  /** Of many blocks, in turns, so that those of one adapter are not written one after another. */
  @Test
  void rowsOfManyBlocksAreTold() throws IOException {
    final int rows = 10_000;
    try (RowConversions conversions = new RowConversions(directory, rows, rows)) {
      for (int row = 0; row < rows; row++) {
        conversions.put(0, row, 2 * row);
        conversions.put(1, row, 2 * row + 1);
      }
      final List<IntBuffer> completed = conversions.complete();
      assertArrayEquals(IntStream.range(0, rows).map(row -> 2 * row).toArray(), toArray(completed.get(0)));
      assertArrayEquals(IntStream.range(0, rows).map(row -> 2 * row + 1).toArray(), toArray(completed.get(1)));
    }
  }

  /** What is in the segment's directory is part of the segment. */
  @Test
  void nobodySeesTheFile() throws IOException {
    try (RowConversions conversions = new RowConversions(directory, 1)) {
      assertArrayEquals(new String[] {}, directory.list());
      conversions.put(0, 0, 0);
      conversions.complete();
      assertArrayEquals(new String[] {}, directory.list());
    }
    assertArrayEquals(new String[] {}, directory.list());
  }

  @Test
  void directoryThatIsMissingIsNamed() {
    final File missing = new File(directory, "missing");
    final NoSuchFileException error =
        assertThrows(NoSuchFileException.class, () -> new RowConversions(missing, 1).close());
    assertEquals(missing, new File(error.getMessage()).getParentFile());
  }
}
