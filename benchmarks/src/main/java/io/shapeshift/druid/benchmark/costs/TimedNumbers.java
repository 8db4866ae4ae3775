// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.numbers.DoubleChunkReader;
import io.shapeshift.druid.form.numbers.FloatChunkReader;
import io.shapeshift.druid.form.numbers.LongChunkReader;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.DoubleSupplier;

/** Chunk of numbers in one form, whose reads are timed, as {@link TimedInts} does for ints. */
final class TimedNumbers {
  private final Measurements measurements;
  private final NumberType type;
  private final int size;
  private final ByteBuffer chunk = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES).order(ByteOrder.nativeOrder());
  private final int length;
  private final NumberChunkReader reader;
  private final Vectors vectors;

  /** Reads numbers of one type into an array. */
  private interface Vectors {
    long scan(int start, int length);

    long pick(int[] positions, int from, int to);
  }

  /**
   * Encodes numbers.
   *
   * @param form name of the form
   * @param bits of the numbers, at most as many as a chunk has
   */
  TimedNumbers(Measurements measurements, NumberType type, String form, long[] bits) {
    this.measurements = measurements;
    this.type = type;
    this.size = bits.length;
    final NumberChunk numbers = new NumberChunk(type);
    for (long each : bits) {
      numbers.add(each);
    }
    final NumberForm encoder =
        NumberForms.of(type).stream().filter(each -> each.name().equals(form)).findFirst().orElseThrow();
    // An estimate must precede encoding.
    encoder.estimate(numbers);
    encoder.encode(numbers, chunk);
    this.length = chunk.position();
    this.reader = NumberForms.reader(type);
    this.vectors = vectors(reader, size);
  }

  private static Vectors vectors(NumberChunkReader reader, int size) {
    if (reader instanceof LongChunkReader longs) {
      final long[] out = new long[size];
      return new Vectors() {
        @Override
        public long scan(int start, int length) {
          longs.get(out, 0, start, length);
          return out[0];
        }

        @Override
        public long pick(int[] positions, int from, int to) {
          longs.get(out, positions, from, to, 0);
          return out[from];
        }
      };
    } else if (reader instanceof DoubleChunkReader doubles) {
      final double[] out = new double[size];
      return new Vectors() {
        @Override
        public long scan(int start, int length) {
          doubles.get(out, 0, start, length);
          return (long) out[0];
        }

        @Override
        public long pick(int[] positions, int from, int to) {
          doubles.get(out, positions, from, to, 0);
          return (long) out[from];
        }
      };
    }
    final FloatChunkReader floats = (FloatChunkReader) reader;
    final float[] out = new float[size];
    return new Vectors() {
      @Override
      public long scan(int start, int length) {
        floats.get(out, 0, start, length);
        return (long) out[0];
      }

      @Override
      public long pick(int[] positions, int from, int to) {
        floats.get(out, positions, from, to, 0);
        return (long) out[from];
      }
    };
  }

  private void open() {
    reader.startChunk(size);
    NumberForms.byId(type).apply(chunk.get(0)).transform(chunk, 0, length, reader);
  }

  int size() {
    return size;
  }

  /** Time per number of a scan. */
  DoubleSupplier scan() {
    return measurements.time(size, () -> {
      open();
      long sum = 0;
      for (int start = 0; start < size; start += Positions.VECTOR) {
        sum += vectors.scan(start, Math.min(Positions.VECTOR, size - start));
      }
      return sum;
    });
  }

  /** Time per number read by position. */
  DoubleSupplier byPosition(int[] positions) {
    return measurements.time(positions.length, () -> {
      open();
      long sum = 0;
      for (int start = 0; start < positions.length; start += Positions.VECTOR) {
        sum += vectors.pick(positions, start, Math.min(start + Positions.VECTOR, positions.length));
      }
      return sum;
    });
  }
}
