// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.BrokenInts;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.numbers.BrokenNumbers;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import org.junit.jupiter.api.function.Executable;

/** Makes columns fail, as damage that no check finds may. */
public final class FailingReads {
  private FailingReads() {}

  /** Makes what is read of the current chunk fail, until the chunk is read anew. */
  public static void breakReads(ShapeShiftingColumn<?> column) {
    if (column.reader instanceof IntChunkReader ints) {
      BrokenInts.breakReads(ints);
    } else {
      BrokenNumbers.breakReads((NumberChunkReader) column.reader);
    }
  }

  /**
   * Checks that a read is refused with an exception that names the column, the chunk, its offset, its form and what
   * failed.
   */
  public static void assertRefused(String column, ChunkInfo chunk, String form, Executable read) {
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, read);
    final String start = "Column[" + column + "]: chunk " + chunk.number() + " at offset " + chunk.offset()
        + " (" + form + ") cannot be read: java.lang.NullPointerException";
    assertTrue(e.getMessage().startsWith(start), e.getMessage());
    assertTrue(e.getMessage().endsWith(CorruptColumnContract.DAMAGED), e.getMessage());
    assertEquals(NullPointerException.class, e.getCause().getClass());
  }
}
