// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.DecompressedPayload;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.annotation.Nullable;

/**
 * Reader of one chunk of numbers at a time, whatever its form. A {@link FormDecoder} transforms the reader for each
 * chunk, so that it reads through the {@link NumberShape} of the chunk's form or frame. The subclass for a type reads
 * its primitives. Not thread-safe.
 */
public abstract class NumberChunkReader implements ChunkReader, NumberMatcher.Values {
  /** Number of values that are read at once. */
  static final int VECTOR = NumberScratch.LENGTH;

  final NumberScratch scratch;
  final NumberExceptions exceptions;
  private final DecompressedPayload payload = new DecompressedPayload();
  /** One shape of each class that was needed so far. */
  private final List<NumberShape> shapes = new ArrayList<>();
  private final NumberShape none;
  NumberShape shape;
  /** Whether the numbers of the chunk's dictionary entries or runs have been computed. */
  boolean hasEntries;
  private int numValues;
  private int decodedWhole;
  /** Created by the first filter, because many columns are opened to read a few rows. */
  @Nullable
  private NumberMatcher matcher;

  NumberChunkReader(NumberType type) {
    scratch = new NumberScratch(type);
    exceptions = new NumberExceptions(type);
    none = new NoNumbers(scratch);
    shape = none;
  }

  /** Returns the type of the numbers. */
  public final NumberType type() {
    return scratch.type();
  }

  @Override
  public final void startChunk(int numValues) {
    this.numValues = numValues;
    hasEntries = false;
    exceptions.start(numValues);
    framedInts().startChunk(numValues);
  }

  @Override
  public final void useAdded(AddedNames names) {
    framedInts().useAdded(names);
  }

  @Override
  public final int numValues() {
    return numValues;
  }

  /**
   * Returns the reader of the ints from which the numbers are computed; the decoder of the ints' form transforms it.
   */
  public final IntChunkReader framedInts() {
    return scratch.framed();
  }

  /** Returns the numbers of the chunk that do not fit its frame; empty until a frame adds some. */
  public final NumberExceptions exceptions() {
    return exceptions;
  }

  /**
   * Returns this reader's shape of a class, and creates it if necessary.
   *
   * @param kind  class of the shape
   * @param maker constructor of the shape
   */
  public final <S extends NumberShape> S shape(Class<S> kind, Function<NumberScratch, S> maker) {
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
  public final void transformTo(NumberShape newShape) {
    shape = newShape;
  }

  /** Decompresses a part of the chunk: see {@link DecompressedPayload#decompress}. */
  public final ByteBuffer decompress(Codec codec, String name, ByteBuffer chunk, int offset, int length) {
    decodedWhole++;
    return payload.decompress(codec, name, chunk, offset, length);
  }

  @Override
  public final int takeDecodedWhole() {
    final int count = decodedWhole + framedInts().takeDecodedWhole();
    decodedWhole = 0;
    return count;
  }

  @Override
  public final int near() {
    return shape.near();
  }

  /** Returns whether reading whole vectors is faster than reading each wanted number. */
  final boolean isDense(int[] indexes, int from, int to) {
    final int density = Math.max(exceptions.size() > 0 ? CostModel.Numbers.DENSE_EXCEPTIONS : 0, shape.density());
    return (long) indexes[to - 1] - indexes[from] < (long) (to - from - 1) * density;
  }

  /**
   * Finds the numbers that match a filter.
   *
   * @param out one bit per number of the chunk, all zero; receives the matches if the result is {@link Found#SOME}
   */
  public final Found find(WantedNumbers wanted, long[] out) {
    if (matcher == null) {
      matcher = new NumberMatcher(this);
    }
    return matcher.find(shape, exceptions, wanted, out);
  }

  /**
   * Returns how many of some consecutive numbers match a filter.
   *
   * @param length at most 512
   */
  public final int count(WantedNumbers wanted, int start, int length) {
    int count = 0;
    for (long sortable : sortables(start, length)) {
      count += wanted.contains(sortable) ? 1 : 0;
    }
    return count;
  }

  /** Returns the sortable bits of one number: see {@link NumberType#sortable}. */
  public final long keyAt(int index) {
    return sortables(index, 1)[0];
  }

  private long[] sortables(int start, int length) {
    final SortableNumbers sortables = new SortableNumbers(length);
    read(start, length, sortables);
    return sortables.sortables();
  }

  /** Returns the number of predicate calls of {@link #find}, if the filter is a predicate. */
  public final int numTests() {
    return Math.min(numValues, shape.numTests() + exceptions.size());
  }

  /** Releases all buffers. The reader reads zeros until it is transformed again. */
  @Override
  public final void close() {
    framedInts().close();
    payload.release();
    exceptions.release();
    shapes.forEach(NumberShape::release);
    shape = none;
  }

  /** Shape of a reader without a chunk. */
  private static final class NoNumbers extends NumberShape {
    NoNumbers(NumberScratch scratch) {
      super(scratch);
    }

    @Override
    public long getLong(int index) {
      return 0;
    }
  }
}
