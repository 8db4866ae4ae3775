// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.RawBytes;
import java.nio.ByteBuffer;

/** Reads the chunks of {@link DeltaForm} where they lie, adding up the differences from the last base on. */
final class DeltaInts {
  private static final int LOG_VALUES_PER_BASE = DeltaForm.LOG_VALUES_PER_BASE;
  private static final int VALUES_PER_BASE = DeltaForm.VALUES_PER_BASE;

  final PackedInts packed;
  private final Scratch scratch;
  private final RawBytes bases = new RawBytes();
  private int basesOffset;
  private boolean ascend;
  /** The index of the value that was read alone last, and the value; before the first there is none. */
  private int lastIndex;
  private int lastValue;

  DeltaInts(Scratch scratch) {
    this.scratch = scratch;
    this.packed = new PackedInts(scratch);
  }

  /** Reads other bases from now on; the differences are told for themselves. */
  void read(ByteBuffer chunk, int basesOffset, boolean ascend) {
    this.bases.wrap(chunk);
    this.basesOffset = basesOffset;
    this.ascend = ascend;
    this.lastIndex = -1;
  }

  private int base(int number) {
    return bases.getInt(basesOffset + Integer.BYTES * number);
  }

  /** Whether no value is less than the one before it. */
  boolean ascend() {
    return ascend;
  }

  /** The index of the first value that is not less than this one, if values ascend; how many there are if all are. */
  int firstFrom(long value) {
    final int numValues = packed.numValues();
    int low = 0;
    int high = (numValues + VALUES_PER_BASE - 1) >> LOG_VALUES_PER_BASE;
    while (low < high) {
      final int middle = (low + high) / 2;
      if (base(middle) < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return 0;
    }
    final int first = (low - 1) << LOG_VALUES_PER_BASE;
    final int length = Math.min(VALUES_PER_BASE, numValues - first);
    final int[] deltas = scratch.deltas();
    packed.get(deltas, 0, first, length);
    long sum = base(low - 1);
    int i = 1;
    for (; i < length && sum + deltas[i] < value; i++) {
      sum += deltas[i];
    }
    return first + i;
  }

  /** Adds up the differences from the value that was read last on, if none is stored itself behind that. */
  int get(int index) {
    final int first = index & -VALUES_PER_BASE;
    final boolean isAhead = lastIndex >= first && lastIndex <= index;
    final int from = isAhead ? lastIndex : first;
    final int count = index - from;
    int value = isAhead ? lastValue : base(index >> LOG_VALUES_PER_BASE);
    if (count > 0) {
      final int[] deltas = scratch.deltas();
      packed.get(deltas, 0, from + 1, count);
      for (int i = 0; i < count; i++) {
        value += deltas[i];
      }
    }
    lastIndex = index;
    lastValue = value;
    return value;
  }

  void get(int[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      final int from = start + done;
      final int inBlock = from & VALUES_PER_BASE - 1;
      final int count = Math.min(length - done, VALUES_PER_BASE - inBlock);
      int value = inBlock == 0 ? base(from >> LOG_VALUES_PER_BASE) : get(from);
      packed.get(out, offset + done, from, count);
      out[offset + done] = value;
      for (int i = offset + done + 1; i < offset + done + count; i++) {
        value += out[i];
        out[i] = value;
      }
      done += count;
    }
  }

  void get(int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - start);
    }
  }
}
