// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.druid.segment.IndexMerger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /**
   * Of no block to many, in turns, so that those of one adapter are not written one after another, and with rows that
   * are left out, in buffers over all of the file, over the rows of one adapter, and on the heap.
   */
  @ParameterizedTest
  @ValueSource(longs = {Integer.MAX_VALUE, 40_000, 4096, 0})
  void rowsOfManyBlocksAreTold(long maxMapped) throws IOException {
    final Random random = new Random(maxMapped);
    final int[] rows = {10_000, 1024, 1023, 0, 1025, 2048, 1, 9999};
    final int[][] expected = Arrays.stream(rows).mapToObj(int[]::new).toArray(int[][]::new);
    int merged = 0;
    try (RowConversions conversions = new RowConversions(directory, maxMapped, rows)) {
      for (int row = 0; row < 10_000; row++) {
        final boolean isGap = row / 1500 % 2 == 1;
        for (int adapter = 0; adapter < rows.length; adapter++) {
          if (row < rows[adapter]) {
            final boolean isPut = !isGap && random.nextInt(3) > 0;
            expected[adapter][row] = isPut ? merged : NONE;
            if (isPut) {
              conversions.put(adapter, row, merged++);
            }
          }
        }
      }
      final List<IntBuffer> completed = conversions.complete();
      for (int adapter = 0; adapter < rows.length; adapter++) {
        assertArrayEquals(expected[adapter], toArray(completed.get(adapter)), "adapter " + adapter);
      }
    }
  }

  @Test
  void noAdaptersHaveNoRows() throws IOException {
    try (RowConversions conversions = new RowConversions(directory)) {
      assertEquals(List.of(), conversions.complete());
    }
  }

  /** It would be one of the next adapter, whose index would be wrong. */
  @Test
  void aRowThatAnAdapterHasNotIsRefused() throws IOException {
    try (RowConversions conversions = new RowConversions(directory, 3, 3)) {
      conversions.put(0, 1, 0);
      assertThrows(IllegalStateException.class, () -> conversions.put(0, 1, 1));
      final IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> conversions.put(0, 3, 1));
      assertEquals(
          "Row [3] of [3] cannot be merged behind row [1]: were rows added meanwhile?", error.getMessage());
    }
  }

  /** What is in the segment's directory is part of the segment. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void nobodySeesTheFile() throws IOException {
    try (RowConversions conversions = new RowConversions(directory, 1)) {
      assertArrayEquals(new String[] {}, directory.list());
      conversions.put(0, 0, 0);
      conversions.complete();
      assertArrayEquals(new String[] {}, directory.list());
      assertTrue(isMapped());
    }
    assertFalse(isMapped());
  }

  private boolean isMapped() throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains(directory.getPath());
  }

  @Test
  void aDirectoryThatIsMissingIsNamed() {
    final File missing = new File(directory, "missing");
    final NoSuchFileException error =
        assertThrows(NoSuchFileException.class, () -> new RowConversions(missing, 1).close());
    assertEquals(missing, new File(error.getMessage()).getParentFile());
  }
}
