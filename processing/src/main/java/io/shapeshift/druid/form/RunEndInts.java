// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.bits.BitStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads the chunks of {@link RunEndForm} where they lie. */
final class RunEndInts {
  final SortedPositions ends = new SortedPositions();
  private final Scratch scratch;
  private ByteBuffer values;
  private int valuesOffset;
  private int lastRun;
  private int width;
  private int base;

  RunEndInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /** Reads other values from now on; the runs' ends are told for themselves. */
  void read(ByteBuffer chunk, int valuesOffset, int numRuns, int width, int base) {
    this.values = chunk;
    this.valuesOffset = valuesOffset;
    this.lastRun = numRuns - 1;
    this.width = width;
    this.base = base;
  }

  private int value(int run) {
    return BitStream.get(values, valuesOffset, width, Math.min(run, lastRun)) + base;
  }

  int get(int index) {
    return value(ends.rank(index));
  }

  void get(int[] out, int offset, int start, int length) {
    if (length == 0) {
      return;
    }
    final int[] places = scratch.positions();
    int run = ends.rank(start);
    for (int done = 0; done < length; done += Scratch.LENGTH) {
      final int from = start + done;
      final int end = start + Math.min(length, done + Scratch.LENGTH);
      // The run of the first value is known already.
      final int found = ends.list(done == 0 ? from + 1 : from, end, run, places);
      int filled = from;
      for (int i = 0; i < found; i++) {
        final int next = Math.max(filled, places[i]);
        Arrays.fill(out, offset + filled - start, offset + next - start, value(run++));
        filled = next;
      }
      Arrays.fill(out, offset + filled - start, offset + end - start, value(run));
    }
  }

  void get(int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - start);
    }
  }
}
