// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.DoubleSupplier;

/** Chunk of ints in one form, whose reads are timed. Each read sets up the reader anew, as a column does. */
final class TimedInts {
  private final Measurements measurements;
  private final IntForm form;
  private final int size;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES).order(ByteOrder.nativeOrder());
  private final int length;
  private final IntChunkReader reader = new IntChunkReader();
  private final int[] picked;

  /**
   * Encodes values.
   *
   * @param form   name of the form
   * @param values at most as many as a chunk has
   */
  TimedInts(Measurements measurements, String form, int[] values) {
    this.measurements = measurements;
    this.form = IntForms.ALL.stream().filter(each -> each.name().equals(form)).findFirst().orElseThrow();
    this.size = values.length;
    this.picked = new int[size];
    final IntChunk ints = new IntChunk(size);
    for (int value : values) {
      ints.add(value);
    }
    // An estimate must precede encoding.
    this.form.estimate(ints);
    this.form.encode(ints, chunk);
    this.length = chunk.position();
  }

  private void open() {
    reader.startChunk(size);
    form.transform(chunk, 0, length, reader);
  }

  int size() {
    return size;
  }

  /** Time per value of a scan. */
  DoubleSupplier scan() {
    final int[] out = new int[Positions.VECTOR];
    return measurements.time(size, () -> {
      open();
      long sum = 0;
      for (int start = 0; start < size; start += out.length) {
        reader.get(out, 0, start, Math.min(out.length, size - start));
        sum += out[0];
      }
      return sum;
    });
  }

  /** Time per value read by position. */
  DoubleSupplier byPosition(int[] positions) {
    return measurements.time(positions.length, () -> read(positions));
  }

  /** Time of reading one in a hundred values by position, per value of the chunk. */
  DoubleSupplier sparse() {
    final int[] positions = Positions.everyAbout(Positions.SPARSE, size);
    return measurements.time(size, () -> read(positions));
  }

  private long read(int[] positions) {
    open();
    for (int start = 0; start < positions.length; start += Positions.VECTOR) {
      reader.get(picked, positions, start, Math.min(start + Positions.VECTOR, positions.length), 0);
    }
    return picked[0];
  }

  /** Time per value read alone, at a random position. */
  DoubleSupplier alone() {
    final int[] positions = Positions.anywhere(size);
    return measurements.time(positions.length, () -> {
      open();
      long sum = 0;
      for (int position : positions) {
        sum += reader.get(position);
      }
      return sum;
    });
  }
}
