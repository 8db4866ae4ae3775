// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.AddedNames;
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
 * that it reads through the {@link IntShape} of the chunk's form. Not thread-safe.
 */
public final class IntChunkReader implements ChunkReader {
  private final Scratch scratch = new Scratch();
  private final DecompressedPayload payload = new DecompressedPayload();
  /** One shape of each class that was needed so far. */
  private final List<IntShape> shapes = new ArrayList<>();
  private IntShape shape = new ConstantInts();
  private int density;
  private int numValues;
  private int decodedWhole;
  /** Names of encodings of other jars in the chunk's column; null if it uses none. */
  @Nullable
  private AddedNames added;
  /** Created by the first filter, because many columns are opened to read a few rows. */
  @Nullable
  private IntMatcher matcher;

  @Override
  public void startChunk(int numValues) {
    this.numValues = numValues;
    this.added = null;
  }

  @Override
  public void useAdded(AddedNames names) {
    added = names;
  }

  /** Returns the name of the encoding of another jar that the chunk's column gives to an id; null if it gives none. */
  @Nullable
  public String addedName(byte id) {
    return added == null ? null : added.name(id);
  }

  /** Returns the number of values in the chunk. */
  public int numValues() {
    return numValues;
  }

  /**
   * Returns this reader's shape of a class, and creates it if necessary.
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

  /** Sets the shape that reads the chunk. */
  public void transformTo(IntShape newShape) {
    shape = newShape;
    density = newShape.density();
  }

  /** Returns the shape that reads the chunk. */
  public IntShape shape() {
    return shape;
  }

  /** Counts the chunk as decoded completely. */
  public void countDecodedWhole() {
    decodedWhole++;
  }

  @Override
  public int takeDecodedWhole() {
    final int count = decodedWhole;
    decodedWhole = 0;
    return count;
  }

  /** Decompresses a part of the chunk, for a shape to read: see {@link DecompressedPayload#decompress}. */
  public ByteBuffer decompress(Codec codec, String name, ByteBuffer chunk, int offset, int length) {
    countDecodedWhole();
    return payload.decompress(codec, name, chunk, offset, length);
  }

  /** Releases the buffer of {@link #decompress}, once the chunk is decoded from it. */
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
   * Reads values at positions of the column, all within this chunk. It reads whole vectors if the positions are dense,
   * and single values otherwise. See {@link IntShape#get(int[], int[], int, int, int)}.
   */
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    if (from < to && (long) (indexes[to - 1] - indexes[from]) < (long) (to - from - 1) * density) {
      getDense(out, indexes, from, to, base);
    } else {
      shape.get(out, indexes, from, to, base);
    }
  }

  /** Reads whole vectors and copies the wanted values. */
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

  /** Returns the number of positions if they are consecutive; otherwise 1. */
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

  /** Returns a lower bound of the values from the chunk's header; 0 if it has none. */
  public int least() {
    return toInt(shape.least());
  }

  /** Returns an upper bound of the values from the chunk's header; {@link Integer#MAX_VALUE} if it has none. */
  public int greatest() {
    return toInt(shape.greatest());
  }

  /**
   * Limits a bound to an int. A greater bound comes from a width whose values do not all occur, or from a damaged
   * chunk.
   */
  private static int toInt(long bound) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, bound));
  }

  /**
   * Returns whether all values are from 0 to {@code most}, even if the chunk is damaged. This takes longer than reading
   * one value.
   */
  public boolean isWithin(int most) {
    return shape.hasCertainBounds() && shape.least() >= 0 && shape.greatest() <= most;
  }

  /**
   * Finds the values in a range, unless the bounds show that all or none match.
   *
   * @param out one bit per value of the chunk, all zero; receives the matches if the result is {@link Found#SOME}
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

  /** Finds the values in a range: see {@link IntShape#between}. */
  public void between(int from, int to, long[] out) {
    shape.between(from, to, matcher(), out);
  }

  /** Finds a value between {@link #least} and {@link #greatest}: see {@link IntShape#equal}. */
  public boolean equal(int value, long[] out) {
    return shape.equal(value, matcher(), out);
  }

  /** Finds the values in a set: see {@link IntMatcher#in(IntMatcher.Values, long[], int, int, long[])}. */
  public void in(long[] set, int least, int greatest, long[] out) {
    matcher().in(shape, set, least, greatest, out);
  }

  /** Finds the values in a list: see {@link IntMatcher#in(IntMatcher.Values, int[], int, long[])}. */
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
