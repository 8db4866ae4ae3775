// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.DecompressedPayload;
import io.shapeshift.druid.form.ints.constant.ConstantInts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * Reader of one int chunk at a time, whatever its form. A {@link FormDecoder} transforms the reader for each chunk, so
 * that it reads through the {@link IntShape} of the chunk's form. Not for use by several threads at once.
 */
public final class IntChunkReader implements ChunkReader {
  private final Scratch scratch = new Scratch();
  private final DecompressedPayload payload = new DecompressedPayload();
  /** One of each kind that has been needed. */
  private final List<IntShape> shapes = new ArrayList<>();
  private IntShape shape = new ConstantInts();
  private int density;
  private int numValues;
  private int decodedWhole;
  /** Made for the first filter: many columns are opened for a few rows. */
  @Nullable
  private IntMatcher matcher;

  @Override
  public void startChunk(int numValues) {
    this.numValues = numValues;
  }

  /** Number of values of the chunk. */
  public int numValues() {
    return numValues;
  }

  /**
   * Finds this reader's shape of a kind, or makes it if the reader has none yet.
   *
   * @param kind  class of the shape
   * @param maker constructor of the shape
   */
  public <S extends IntShape> S shape(Class<S> kind, Function<Scratch, S> maker) {
    for (int i = 0; i < shapes.size(); i++) {
      if (shapes.get(i).getClass() == kind) {
        return kind.cast(shapes.get(i));
      }
    }
    final S made = maker.apply(scratch);
    shapes.add(made);
    return made;
  }

  /** Reads through this shape, which a form has pointed at the chunk, from now on. */
  public void transformTo(IntShape newShape) {
    shape = newShape;
    density = newShape.density();
  }

  /** The shape through which the chunk is read. */
  public IntShape shape() {
    return shape;
  }

  /** Counts the chunk among those that are decoded whole. */
  public void countDecodedWhole() {
    decodedWhole++;
  }

  @Override
  public int takeDecodedWhole() {
    final int count = decodedWhole;
    decodedWhole = 0;
    return count;
  }

  /**
   * Decompresses a part of the chunk, which a shape may then read in the payload: see
   * {@link DecompressedPayload#decompress}.
   */
  public ByteBuffer decompress(Codec codec, String name, ByteBuffer chunk, int offset, int length) {
    countDecodedWhole();
    return payload.decompress(codec, name, chunk, offset, length);
  }

  /** Gives back what {@link #decompress} has returned: the chunk has been decoded from it. */
  public void releasePayload() {
    payload.release();
  }

  @Override
  public int near() {
    return shape.near();
  }

  /** Reads one value: see {@link IntShape#get(int)}. */
  public int get(int index) {
    return shape.get(index);
  }

  /** Reads consecutive values: see {@link IntShape#get(int[], int, int, int)}. */
  public void get(int[] out, int offset, int start, int length) {
    shape.get(out, offset, start, length);
  }

  /**
   * Reads the values at some positions of the column, all of which are in this chunk: whole vectors if the positions
   * are dense, each value alone otherwise. See {@link IntShape#get(int[], int[], int, int, int)}.
   */
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    if (from < to && (long) (indexes[to - 1] - indexes[from]) < (long) (to - from - 1) * density) {
      getDense(out, indexes, from, to, base);
    } else {
      shape.get(out, indexes, from, to, base);
    }
  }

  /** Reads whole vectors, and picks from them what is wanted. */
  private void getDense(int[] out, int[] indexes, int from, int to, int base) {
    int i = from;
    while (i < to) {
      final int index = indexes[i] - base;
      final int contiguous = contiguous(indexes, i, Math.min(to - i, Scratch.LENGTH));
      if (contiguous > 1) {
        shape.get(out, i, index, contiguous);
        i += contiguous;
      } else {
        final int[] vector = scratch.values();
        final int start = index / Scratch.LENGTH * Scratch.LENGTH;
        final int length = Math.min(Scratch.LENGTH, numValues - start);
        shape.get(vector, 0, start, length);
        final int end = ChunkReader.endOfVector(indexes, i, to, base + start, length);
        pick(vector, out, indexes, i, end, base + start);
        i = end;
      }
    }
  }

  /** The number of positions if each is one more than the one before; otherwise 1. */
  private static int contiguous(int[] indexes, int from, int length) {
    final int first = indexes[from] - from;
    if (indexes[from + length - 1] - from - length + 1 != first) {
      return 1;
    }
    int different = 0;
    for (int i = from; i < from + length; i++) {
      different |= indexes[i] - i ^ first;
    }
    return different == 0 ? length : 1;
  }

  private static void pick(int[] vector, int[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = vector[indexes[i] - base];
    }
  }

  /** A bound that no value of the chunk is less than, as far as its header tells; otherwise 0. */
  public int least() {
    return toInt(shape.least());
  }

  /** A bound that no value of the chunk exceeds, as far as its header tells; otherwise the largest int. */
  public int greatest() {
    return toInt(shape.greatest());
  }

  /** A bound that is no int is that of a width of which not all values are there, or of a damaged chunk. */
  private static int toInt(long bound) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, bound));
  }

  /**
   * Whether all values are 0 to {@code most} even if the chunk is damaged. It takes longer than a read of one value.
   */
  public boolean isWithin(int most) {
    return shape.hasCertainBounds() && shape.least() >= 0 && shape.greatest() <= most;
  }

  /**
   * Finds the values of a range, if bounds do not tell that these are all or none.
   *
   * @param out a bit for each value of the chunk, cleared; afterwards those of what was found are set, if bounds did
   *     not tell it
   */
  public Found find(int from, int to, long[] out) {
    final int least = least();
    final int greatest = greatest();
    if (least <= greatest && (from > greatest || to < least)) {
      return Found.NONE;
    }
    if (from <= least && to >= greatest) {
      return Found.ALL;
    }
    between(from, to, out);
    return Found.SOME;
  }

  /** Finds the values of a range: see {@link IntShape#between}. */
  public void between(int from, int to, long[] out) {
    shape.between(from, to, matcher(), out);
  }

  /** Finds a value within {@link #least} and {@link #greatest}: see {@link IntShape#equal}. */
  public boolean equal(int value, long[] out) {
    return shape.equal(value, matcher(), out);
  }

  /** Finds the values of a set: see {@link IntMatcher#in(IntMatcher.Values, long[], int, int, long[])}. */
  public void in(long[] set, int least, int greatest, long[] out) {
    matcher().in(shape, set, least, greatest, out);
  }

  /** Finds the values of a list: see {@link IntMatcher#in(IntMatcher.Values, int[], int, long[])}. */
  public void in(int[] wanted, int count, long[] out) {
    matcher().in(shape, wanted, count, out);
  }

  private IntMatcher matcher() {
    if (matcher == null) {
      matcher = new IntMatcher();
    }
    return matcher;
  }

  /** Releases all buffers and arrays. The reader reads zeros until it is transformed again. */
  @Override
  public void close() {
    payload.release();
    shapes.forEach(IntShape::release);
    shape = new ConstantInts();
  }
}
