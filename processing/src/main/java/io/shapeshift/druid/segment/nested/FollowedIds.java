// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.structures.Structures;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.ColumnarInts;

/** Ids of a field that follow from the structures of the rows, but for exceptions. */
final class FollowedIds implements Supplier<ColumnarInts> {
  /** Rows that are read at once if rows are requested one after another. */
  private static final int WINDOW = 128;

  private final Structures structures;
  private final StructureIds structureIds;
  /** Rows that have other ids than their structures; null if there are none. */
  @Nullable
  private final ListedIds exceptions;

  FollowedIds(Structures structures, StructureIds structureIds, @Nullable ListedIds exceptions) {
    this.structures = structures;
    this.structureIds = structureIds;
    this.exceptions = exceptions;
  }

  /** Returns the ids of the structures. */
  StructureIds structureIds() {
    return structureIds;
  }

  /** Returns the rows that have other ids than their structures; null if there are none. */
  @Nullable
  ListedIds exceptions() {
    return exceptions;
  }

  /** Returns a reader, for one thread. */
  @Override
  public ColumnarInts get() {
    return new Reader();
  }

  /** Reader of the ids of all rows. */
  final class Reader implements ColumnarInts {
    private final ShapeShiftingColumnarInts structureOfRow = structures.ids();
    /** Id of each structure; null until rows of unknown structures are read. */
    @Nullable
    private int[] ids;
    @Nullable
    private final ListedIds.Cursor others = exceptions == null ? null : exceptions.cursor();
    /** Ids of the rows from {@code windowStart}; allocated at first use. */
    @Nullable
    private int[] window;
    private int windowStart;
    private int windowLength;
    private int lastRow = -WINDOW;

    @Override
    public int size() {
      return structures.numRows();
    }

    @Override
    public int get(int row) {
      final int inWindow = row - windowStart;
      return Integer.compareUnsigned(inWindow, windowLength) < 0 ? window[inWindow] : getAlone(row);
    }

    private int getAlone(int row) {
      final boolean isNext = row == lastRow + 1 && row < size();
      lastRow = row;
      if (!isNext) {
        final int id = ids()[structures.checkId(structureOfRow.get(row), row)];
        return others == null ? id : others.get(row, id);
      }
      if (window == null) {
        window = new int[WINDOW];
      }
      windowLength = 0;
      windowStart = row & -WINDOW;
      final int length = Math.min(WINDOW, size() - windowStart);
      get(window, 0, windowStart, length);
      windowLength = length;
      lastRow = windowStart + length - 1;
      return window[row - windowStart];
    }

    /** Returns the id of a row whose structure is known. */
    int get(int row, int structure) {
      final int id = structureIds.of(structure);
      return others == null ? id : others.get(row, id);
    }

    private int[] ids() {
      if (ids == null) {
        ids = structureIds.ofAll();
      }
      return ids;
    }

    @Override
    public void get(int[] out, int start, int length) {
      get(out, 0, start, length);
    }

    @Override
    public void get(int[] out, int offset, int start, int length) {
      structureOfRow.get(out, offset, start, length);
      final int done = toIds(out, offset, length);
      if (done < length) {
        structures.checkId(out[offset + done], start + done);
      }
      if (others != null) {
        others.set(out, offset, start, length);
      }
    }

    @Override
    public void get(int[] out, int[] indexes, int length) {
      structureOfRow.get(out, indexes, length);
      final int done = toIds(out, 0, length);
      if (done < length) {
        structures.checkId(out[done], indexes[done]);
      }
      if (others != null) {
        for (int i = 0; i < length; i++) {
          out[i] = others.get(indexes[i], out[i]);
        }
      }
    }

    /** Replaces structures by their ids, and returns how many were replaced: all before an unknown structure. */
    private int toIds(int[] out, int offset, int length) {
      final int[] idOfStructure = ids();
      int done = 0;
      try {
        // A loop without an exit of its own is unrolled.
        for (; done < length; done++) {
          out[offset + done] = idOfStructure[out[offset + done]];
        }
      } catch (ArrayIndexOutOfBoundsException e) {
        return done;
      }
      return done;
    }

    @Override
    public void close() {
      structureOfRow.close();
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
  }
}
