// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.ExactDivision;
import io.shapeshift.druid.bits.RawBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.segment.CompressedPools;

/**
 * Reads the numbers of one chunk, whatever its form. A {@link FormDecoder} transforms the reader for each chunk into
 * one of its shapes: ints in a frame, which an {@link IntChunkReader} reads, or numbers that are read where they lie.
 *
 * <p>As there, the shape is state in fields, and each read is one switch on it. Longs and doubles are put together as
 * the bits of longs, floats as those of ints; doubles and floats are then a copy of memory away, and decimals a
 * division. Not for use by several threads at once.
 */
public final class NumberChunkReader implements ChunkReader {
  private static final int LINEAR = 0;
  private static final int DECIMAL = 1;
  private static final int DICTIONARY = 2;
  private static final int DELTAS = 3;
  private static final int RAW = 4;
  private static final int WIDE = 5;
  private static final int SPLIT = 6;
  private static final int SHUFFLED = 7;

  /** Values that are put together at once. */
  private static final int VECTOR = Scratch.LENGTH;
  /** One of so many numbers has to be wanted for reading whole vectors of differences to be faster. */
  private static final int DENSE_DELTAS = 100;
  /** The same for numbers among which are exceptions. */
  private static final int DENSE_EXCEPTIONS = 16;

  /** The bits of 2^52 + 2^51: an integer added to them is added to the double, too, as long as it is below 2^51. */
  private static final long DOUBLE_BITS = 0x4338_0000_0000_0000L;
  private static final double DOUBLE_OF_BITS = 0x1.8p52;
  /** The bits of 2^23, of which the same holds for a float and integers from 0 to 2^23. */
  private static final int FLOAT_BITS = 0x4B00_0000;
  private static final float FLOAT_OF_BITS = 0x1p23f;
  /** Floats take an integer in two parts, as one may have a bit more. */
  private static final int LOWER_BITS = 12;

  private final NumberType type;
  private final IntChunkReader ints = new IntChunkReader();
  private int[] intVector = new int[VECTOR];
  private final RawBytes bytes = new RawBytes();
  private final RawBytes exceptionBytes = new RawBytes();
  private final SortedPositions exceptions = new SortedPositions();
  @Nullable
  private long[] longVector;
  @Nullable
  private double[] doubleVector;
  @Nullable
  private float[] floatVector;
  /** Vectors from which the numbers that are wanted are picked. */
  @Nullable
  private long[] denseLongs;
  @Nullable
  private double[] denseDoubles;
  @Nullable
  private float[] denseFloats;
  @Nullable
  private int[] upperInts;
  @Nullable
  private int[] lowerInts;
  @Nullable
  private float[] upperFloats;
  @Nullable
  private float[] lowerFloats;
  @Nullable
  private int[] places;
  @Nullable
  private int[] runEnds;
  private int shape = LINEAR;
  private int numValues;
  private long base;
  private long multiplier;
  /** Of decimals, ten to the power of the exponent. */
  private double divisor;
  private float floatDivisor;
  /** Where what is read where it lies starts: entries, bases, numbers. */
  private int offset;
  private int lastEntry;
  private int width;
  private long smallestBase;
  private int numExceptions;
  private int exceptionsOffset;
  /** The numbers of a dictionary of ints, once they are worked out for the chunk; of these the one for the type. */
  private boolean hasEntries;
  @Nullable
  private long[] longEntries;
  @Nullable
  private double[] doubleEntries;
  @Nullable
  private float[] floatEntries;
  @Nullable
  private ResourceHolder<ByteBuffer> payloadHolder;

  /** Makes a reader of numbers of a type. */
  public NumberChunkReader(NumberType type) {
    this.type = type;
  }

  /** The type of the numbers. */
  NumberType type() {
    return type;
  }

  @Override
  public void startChunk(int numValues) {
    this.numValues = numValues;
    this.numExceptions = 0;
    this.hasEntries = false;
    ints.startChunk(numValues);
  }

  /** How many numbers the chunk has. */
  int numValues() {
    return numValues;
  }

  /** To be told of the ints in the frame. */
  IntChunkReader framedInts() {
    return ints;
  }

  /** Takes the shape of integers, or of decimals if the exponent is not negative. */
  void readLinear(long base, long multiplier, int exponent) {
    shape = exponent < 0 ? LINEAR : DECIMAL;
    this.base = base;
    this.multiplier = multiplier;
    if (exponent >= 0) {
      divisor = DecimalFrame.power(exponent);
      floatDivisor = (float) divisor;
    }
  }

  /** To be told of the positions of exceptions before {@link #readExceptions}. */
  SortedPositions exceptions() {
    return exceptions;
  }

  /** Puts exceptions into the shape, whose bits are from an offset on. */
  void readExceptions(ByteBuffer buffer, int offset, int numExceptions) {
    exceptionBytes.wrap(buffer);
    exceptionsOffset = offset;
    this.numExceptions = numExceptions;
  }

  /** Takes the shape of places in a list of numbers. */
  void readEntries(ByteBuffer buffer, int offset, int numEntries) {
    shape = DICTIONARY;
    bytes.wrap(buffer);
    this.offset = offset;
    lastEntry = numEntries - 1;
  }

  /** Takes the shape of differences: see {@link DeltaFrame}. */
  void readDeltas(long minDelta, long multiplier, long smallestBase, int width, ByteBuffer buffer, int offset) {
    shape = DELTAS;
    base = minDelta;
    this.multiplier = multiplier;
    this.smallestBase = smallestBase;
    this.width = width;
    bytes.wrap(buffer);
    this.offset = offset;
  }

  /** Takes the shape of numbers as they are. */
  void readRaw(ByteBuffer buffer, int offset) {
    shape = RAW;
    bytes.wrap(buffer);
    this.offset = offset;
  }

  /** Takes the shape of numbers' bytes, the lowest of all numbers first. */
  void readShuffled(ByteBuffer buffer, int offset) {
    shape = SHUFFLED;
    bytes.wrap(buffer);
    this.offset = offset;
  }

  /** Takes the shape of packed longs above a base. */
  void readWide(ByteBuffer buffer, int offset, int width, long base) {
    shape = WIDE;
    bytes.wrap(buffer);
    this.offset = offset;
    this.width = width;
    this.base = base;
  }

  /** Takes the shape of packed lower bits, below ints. */
  void readSplit(ByteBuffer buffer, int offset, int width) {
    shape = SPLIT;
    bytes.wrap(buffer);
    this.offset = offset;
    this.width = width;
  }

  /**
   * A direct buffer of {@link Forms#MAX_PAYLOAD_BYTES} to decompress into; taken from the pool of Druid's own columns
   * when first needed. It is the reader's until it is closed.
   */
  ByteBuffer payload(ByteOrder order) {
    if (payloadHolder != null && payloadHolder.get().order() != order) {
      releasePayload();
    }
    if (payloadHolder == null) {
      payloadHolder = CompressedPools.getByteBuf(order);
    }
    return payloadHolder.get().clear();
  }

  // ---- longs, and the bits of doubles

  /** The bits of an exception, or those that are given. */
  private long excepted(int index, long bits) {
    if (numExceptions == 0) {
      return bits;
    }
    final int found = exceptions.find(index);
    return found < 0 ? bits : exceptionBits(found);
  }

  private long exceptionBits(int i) {
    return type == NumberType.FLOAT
           ? exceptionBytes.getInt(exceptionsOffset + Integer.BYTES * i)
           : exceptionBytes.getLong(exceptionsOffset + Long.BYTES * i);
  }

  private long entry(int code) {
    // A damaged chunk may have codes without an entry, negative ones among them.
    return bytes.getLong(offset + Long.BYTES * Math.min(code & Integer.MAX_VALUE, lastEntry));
  }

  private long deltaBase(int number) {
    return width == Long.SIZE
           ? bytes.getLong(offset + Long.BYTES * number)
           : smallestBase + BitStream.get(bytes, offset, width, number);
  }

  private long shuffled(int index) {
    long value = 0;
    for (int i = type.bytes() - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes.getByte(offset + i * numValues + index);
    }
    return value;
  }

  private long deltas(int index) {
    final int number = index >> DeltaFrame.LOG_VALUES_PER_BASE;
    final int first = number << DeltaFrame.LOG_VALUES_PER_BASE;
    final int count = index - first;
    long sum = 0;
    if (count > 0) {
      ints.get(intVector, 0, first + 1, count);
      for (int i = 0; i < count; i++) {
        sum += intVector[i];
      }
    }
    return deltaBase(number) + base * count + multiplier * sum;
  }

  /** The bits of a long, or of a double that is no decimal and no exception. */
  private long bits(int index) {
    return switch (shape) {
      case LINEAR, DECIMAL -> base + multiplier * ints.get(index);
      case DICTIONARY -> entry(ints.get(index));
      case DELTAS -> deltas(index);
      case RAW -> bytes.getLong(offset + Long.BYTES * index);
      case WIDE -> base + BitStream.getLong(bytes, offset, width, index);
      case SPLIT -> (long) ints.get(index) << width | BitStream.getLong(bytes, offset, width, index);
      default -> shuffled(index);
    };
  }

  /** The long at an index of the chunk, which the caller has checked. */
  public long getLong(int index) {
    return excepted(index, bits(index));
  }

  /** The bits of at most a vector of numbers, without exceptions; decimals as the integers with something added. */
  private void bits(long[] out, int at, int start, int length, long added) {
    switch (shape) {
      case LINEAR, DECIMAL -> {
        ints.get(intVector, 0, start, length);
        linear(intVector, 0, out, at, length, base + added, multiplier);
      }
      case DICTIONARY -> {
        ints.get(intVector, 0, start, length);
        for (int i = 0; i < length; i++) {
          out[at + i] = entry(intVector[i]);
        }
      }
      case DELTAS -> deltas(out, at, start, length);
      case RAW -> bytes.getLongs(offset + Long.BYTES * start, out, at, length);
      case WIDE -> {
        for (int i = 0; i < length; i++) {
          out[at + i] = base + BitStream.getLong(bytes, offset, width, start + i);
        }
      }
      case SPLIT -> {
        ints.get(intVector, 0, start, length);
        for (int i = 0; i < length; i++) {
          out[at + i] = (long) intVector[i] << width | BitStream.getLong(bytes, offset, width, start + i);
        }
      }
      default -> {
        for (int i = 0; i < length; i++) {
          out[at + i] = shuffled(start + i);
        }
      }
    }
  }

  private static void linear(int[] in, int from, long[] out, int at, int length, long base, long multiplier) {
    for (int i = 0; i < length; i++) {
      out[at + i] = base + multiplier * in[from + i];
    }
  }

  private void deltas(long[] out, int at, int start, int length) {
    int done = 0;
    while (done < length) {
      final int from = start + done;
      final int inBlock = from & DeltaFrame.VALUES_PER_BASE - 1;
      final int count = Math.min(length - done, DeltaFrame.VALUES_PER_BASE - inBlock);
      long value = inBlock == 0 ? deltaBase(from >> DeltaFrame.LOG_VALUES_PER_BASE) : deltas(from);
      out[at + done] = value;
      if (count > 1) {
        ints.get(intVector, 0, from + 1, count - 1);
        sums(intVector, out, at + done, count, value, base, multiplier);
      }
      done += count;
    }
  }

  private static void sums(int[] deltas, long[] out, int at, int count, long first, long minDelta, long multiplier) {
    long value = first;
    for (int i = 1; i < count; i++) {
      value += minDelta + multiplier * deltas[i - 1];
      out[at + i] = value;
    }
  }

  /** Puts exceptions over what was read of at most a vector. */
  private int exceptionsIn(int start, int length) {
    if (places == null) {
      places = new int[VECTOR];
    }
    final int first = start == 0 ? 0 : exceptions.rank(start - 1);
    return first == numExceptions ? 0 : exceptions.list(start, start + length, first, places);
  }

  private int rankBefore(int start) {
    return start == 0 ? 0 : exceptions.rank(start - 1);
  }

  /** The dictionary that the ints are in, if numbers can be worked out for its entries instead of for all values. */
  @Nullable
  private DictionaryInts dictionary() {
    return shape == LINEAR || shape == DECIMAL ? ints.dictionaryOfChunk() : null;
  }

  /** The runs among the ints, if numbers can be worked out for each run instead of for all values; 0 otherwise. */
  private int runs(int start, int length) {
    if (shape != LINEAR && shape != DECIMAL) {
      return 0;
    }
    if (runEnds == null) {
      runEnds = new int[VECTOR];
    }
    return ints.runs(start, length, runEnds, intVector);
  }

  private static void fill(long[] values, int[] ends, int runs, long[] out, int at) {
    int i = at;
    for (int run = 0; run < runs; run++) {
      final int end = at + ends[run];
      final long value = values[run];
      for (; i < end; i++) {
        out[i] = value;
      }
    }
  }

  private static void fill(double[] values, int[] ends, int runs, double[] out, int at) {
    int i = at;
    for (int run = 0; run < runs; run++) {
      final int end = at + ends[run];
      final double value = values[run];
      for (; i < end; i++) {
        out[i] = value;
      }
    }
  }

  private static void fill(float[] values, int[] ends, int runs, float[] out, int at) {
    int i = at;
    for (int run = 0; run < runs; run++) {
      final int end = at + ends[run];
      final float value = values[run];
      for (; i < end; i++) {
        out[i] = value;
      }
    }
  }

  private static long[] grown(@Nullable long[] array, int length) {
    return array == null || array.length < length ? new long[Math.max(VECTOR, length)] : array;
  }

  private static void pick(long[] entries, int[] codes, long[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  private static void pick(double[] entries, int[] codes, double[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  private static void pick(float[] entries, int[] codes, float[] out, int at, int length) {
    for (int i = 0; i < length; i++) {
      out[at + i] = entries[codes[i]];
    }
  }

  /**
   * Reads the longs from {@code start} on.
   *
   * @param start index in the chunk; with length at most the number of values, which the caller has checked
   * @param out   where they go, from {@code at} on
   */
  public void get(long[] out, int at, int start, int length) {
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null) {
      if (!hasEntries) {
        longEntries = grown(longEntries, dictionary.numCodes());
        linear(dictionary.entries(), 0, longEntries, 0, dictionary.numEntries(), base, multiplier);
        hasEntries = true;
      }
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = runs(start + done, count);
      if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(longEntries, intVector, out, at + done, count);
      } else if (runs > 0) {
        final long[] values = longVector(VECTOR);
        linear(intVector, 0, values, 0, runs, base, multiplier);
        fill(values, runEnds, runs, out, at + done);
      } else {
        bits(out, at + done, start + done, count, 0);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        final int rank = found == 0 ? 0 : rankBefore(start + done);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] = exceptionBits(Math.min(rank + i, numExceptions - 1));
        }
      }
    }
  }

  /** Whether whole vectors are read faster than each number that is wanted. */
  private boolean isDense(int[] indexes, int from, int to) {
    final int dense = switch (shape) {
      case LINEAR, DECIMAL -> Math.max(numExceptions > 0 ? DENSE_EXCEPTIONS : 0, ints.denseRuns());
      case DELTAS -> DENSE_DELTAS;
      default -> 0;
    };
    return (long) indexes[to - 1] - indexes[from] < (long) (to - from) * dense;
  }

  /** Room for the ints of positions, at the same places. */
  private int[] intsFor(int length) {
    if (intVector.length < length) {
      intVector = new int[length];
    }
    return intVector;
  }

  private long[] longVector(int length) {
    if (longVector == null || longVector.length < length) {
      longVector = new long[Math.max(VECTOR, length)];
    }
    return longVector;
  }

  private double[] doubleVector() {
    if (doubleVector == null) {
      doubleVector = new double[VECTOR];
    }
    return doubleVector;
  }

  private float[] floatVector() {
    if (floatVector == null) {
      floatVector = new float[VECTOR];
    }
    return floatVector;
  }

  private static int endOfVector(int[] indexes, int from, int to, int base, int length) {
    int i = from + 1;
    while (i < to && Integer.compareUnsigned(indexes[i] - base, length) < 0) {
      i++;
    }
    return i;
  }

  /**
   * Reads the longs at some positions of the column, all of which are in this chunk.
   *
   * @param out     where they go, at the same places as their positions in {@code indexes}
   * @param indexes positions in the column
   * @param from    the first that counts
   * @param to      behind the last that counts
   * @param chunk   position in the column of the chunk's first value
   */
  public void get(long[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      if (denseLongs == null) {
        denseLongs = new long[VECTOR];
      }
      for (int i = from; i < to; ) {
        final int start = (indexes[i] - chunk) / VECTOR * VECTOR;
        final int length = Math.min(VECTOR, numValues - start);
        get(denseLongs, 0, start, length);
        final int end = endOfVector(indexes, i, to, chunk + start, length);
        for (; i < end; i++) {
          out[i] = denseLongs[indexes[i] - chunk - start];
        }
      }
      return;
    }
    bits(out, indexes, from, to, chunk, 0);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        out[i] = excepted(indexes[i] - chunk, out[i]);
      }
    }
  }

  /** The bits of numbers at positions, without exceptions. */
  private void bits(long[] out, int[] indexes, int from, int to, int chunk, long added) {
    switch (shape) {
      case LINEAR, DECIMAL -> {
        final int[] in = intsFor(to);
        ints.get(in, indexes, from, to, chunk);
        linear(in, from, out, from, to - from, base + added, multiplier);
      }
      case DICTIONARY -> {
        final int[] in = intsFor(to);
        ints.get(in, indexes, from, to, chunk);
        for (int i = from; i < to; i++) {
          out[i] = entry(in[i]);
        }
      }
      case RAW -> {
        for (int i = from; i < to; i++) {
          out[i] = bytes.getLong(offset + Long.BYTES * (indexes[i] - chunk));
        }
      }
      default -> {
        for (int i = from; i < to; i++) {
          out[i] = bits(indexes[i] - chunk);
        }
      }
    }
  }

  // ---- doubles

  /** The double at an index of the chunk, which the caller has checked. */
  public double getDouble(int index) {
    if (shape != DECIMAL) {
      return Double.longBitsToDouble(getLong(index));
    }
    final int exception = numExceptions == 0 ? -1 : exceptions.find(index);
    return exception < 0 ? bits(index) / divisor : Double.longBitsToDouble(exceptionBits(exception));
  }

  /** Reads the doubles from {@code start} on, as longs are read. */
  public void get(double[] out, int at, int start, int length) {
    final long[] vector = longVector(VECTOR);
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null && !hasEntries) {
      final int numEntries = dictionary.numEntries();
      longEntries = grown(longEntries, dictionary.numCodes());
      if (doubleEntries == null || doubleEntries.length < longEntries.length) {
        doubleEntries = new double[longEntries.length];
      }
      linear(dictionary.entries(), 0, longEntries, 0, numEntries, base + added(), multiplier);
      toDoubles(longEntries, 0, doubleEntries, 0, numEntries);
      hasEntries = true;
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = runs(start + done, count);
      if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(doubleEntries, intVector, out, at + done, count);
      } else if (runs > 0) {
        linear(intVector, 0, vector, 0, runs, base + added(), multiplier);
        final double[] values = doubleVector();
        toDoubles(vector, 0, values, 0, runs);
        fill(values, runEnds, runs, out, at + done);
      } else {
        bits(vector, 0, start + done, count, added());
        toDoubles(vector, 0, out, at + done, count);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        final int rank = found == 0 ? 0 : rankBefore(start + done);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] =
              Double.longBitsToDouble(exceptionBits(Math.min(rank + i, numExceptions - 1)));
        }
      }
    }
  }

  /** What is added to the integers of decimals for {@link #toDoubles}. */
  private long added() {
    return shape == DECIMAL ? DOUBLE_BITS : 0;
  }

  private void toDoubles(long[] bits, int from, double[] out, int at, int length) {
    RawBytes.toDoubles(bits, from, out, at, length);
    if (shape == DECIMAL) {
      ExactDivision.subtractAndDivide(out, at, length, DOUBLE_OF_BITS, divisor);
    }
  }

  /** Reads the doubles at some positions of the column, as longs are read. */
  public void get(double[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      if (denseDoubles == null) {
        denseDoubles = new double[VECTOR];
      }
      for (int i = from; i < to; ) {
        final int start = (indexes[i] - chunk) / VECTOR * VECTOR;
        final int length = Math.min(VECTOR, numValues - start);
        get(denseDoubles, 0, start, length);
        final int end = endOfVector(indexes, i, to, chunk + start, length);
        for (; i < end; i++) {
          out[i] = denseDoubles[indexes[i] - chunk - start];
        }
      }
      return;
    }
    final long[] vector = longVector(to);
    bits(vector, indexes, from, to, chunk, added());
    toDoubles(vector, from, out, from, to - from);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        final int exception = exceptions.find(indexes[i] - chunk);
        if (exception >= 0) {
          out[i] = Double.longBitsToDouble(exceptionBits(exception));
        }
      }
    }
  }

  // ---- floats

  private int floatEntry(int code) {
    return bytes.getInt(offset + Integer.BYTES * Math.min(code & Integer.MAX_VALUE, lastEntry));
  }

  private int floatBits(int index) {
    return switch (shape) {
      case LINEAR, DECIMAL -> (int) base + (int) multiplier * ints.get(index);
      case DICTIONARY -> floatEntry(ints.get(index));
      case RAW -> bytes.getInt(offset + Integer.BYTES * index);
      default -> (int) shuffled(index);
    };
  }

  /** The float at an index of the chunk, which the caller has checked. */
  public float getFloat(int index) {
    final int exception = numExceptions == 0 ? -1 : exceptions.find(index);
    if (exception >= 0) {
      return Float.intBitsToFloat((int) exceptionBits(exception));
    }
    final int bits = floatBits(index);
    return shape == DECIMAL ? bits / floatDivisor : Float.intBitsToFloat(bits);
  }

  /** Reads the floats from {@code start} on, as longs are read. */
  public void get(float[] out, int at, int start, int length) {
    @Nullable final DictionaryInts dictionary = dictionary();
    if (dictionary != null && !hasEntries) {
      final int numEntries = dictionary.numEntries();
      if (floatEntries == null || floatEntries.length < dictionary.numCodes()) {
        floatEntries = new float[dictionary.numCodes()];
      }
      // Not the dictionary's own array, which is changed.
      toFloats(Arrays.copyOf(dictionary.entries(), numEntries), 0, floatEntries, 0, numEntries);
      hasEntries = true;
    }
    for (int done = 0; done < length; done += VECTOR) {
      final int count = Math.min(VECTOR, length - done);
      final int runs = runs(start + done, count);
      if (dictionary != null) {
        dictionary.codes(intVector, 0, start + done, count);
        pick(floatEntries, intVector, out, at + done, count);
      } else if (runs > 0) {
        final float[] values = floatVector();
        toFloats(intVector, 0, values, 0, runs);
        fill(values, runEnds, runs, out, at + done);
      } else {
        floatInts(start + done, count);
        toFloats(intVector, 0, out, at + done, count);
      }
      if (numExceptions > 0) {
        final int found = exceptionsIn(start + done, count);
        final int rank = found == 0 ? 0 : rankBefore(start + done);
        for (int i = 0; i < found; i++) {
          out[at + places[i] - start] =
              Float.intBitsToFloat((int) exceptionBits(Math.min(rank + i, numExceptions - 1)));
        }
      }
    }
  }

  /** Reads at most a vector of ints in the frame, or of the bits of floats. */
  private void floatInts(int start, int length) {
    switch (shape) {
      case RAW -> bytes.getInts(offset + Integer.BYTES * start, intVector, 0, length);
      case SHUFFLED -> {
        for (int i = 0; i < length; i++) {
          intVector[i] = (int) shuffled(start + i);
        }
      }
      default -> ints.get(intVector, 0, start, length);
    }
  }

  /** Makes floats of ints in the frame, which are changed; of others these are the bits already. */
  private void toFloats(int[] in, int from, float[] out, int at, int length) {
    switch (shape) {
      case DECIMAL -> decimals(in, from, out, at, length);
      case LINEAR -> {
        linear(in, from, length, (int) base, (int) multiplier);
        RawBytes.toFloats(in, from, out, at, length);
      }
      case DICTIONARY -> {
        for (int i = 0; i < length; i++) {
          out[at + i] = Float.intBitsToFloat(floatEntry(in[from + i]));
        }
      }
      default -> RawBytes.toFloats(in, from, out, at, length);
    }
  }

  private static void linear(int[] inOut, int from, int length, int base, int multiplier) {
    for (int i = from; i < from + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }

  /** In two parts, each of which a float has room for behind the bits of 2^23. */
  private void decimals(int[] in, int from, float[] out, int at, int length) {
    if (upperInts == null || upperInts.length < length) {
      upperInts = new int[Math.max(VECTOR, length)];
      lowerInts = new int[upperInts.length];
      upperFloats = new float[upperInts.length];
      lowerFloats = new float[upperInts.length];
    }
    // C2 of Java 17 vectorises loops over arrays of one type, from the same index on in each.
    System.arraycopy(in, from, lowerInts, 0, length);
    if (multiplier != 1) {
      linear(lowerInts, 0, length, 0, (int) multiplier);
    }
    System.arraycopy(lowerInts, 0, upperInts, 0, length);
    upper(upperInts, length);
    lower(lowerInts, length);
    RawBytes.toFloats(upperInts, 0, upperFloats, 0, length);
    RawBytes.toFloats(lowerInts, 0, lowerFloats, 0, length);
    combine(upperFloats, lowerFloats, length, (float) base, floatDivisor);
    System.arraycopy(upperFloats, 0, out, at, length);
  }

  private static void upper(int[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] = FLOAT_BITS | inOut[i] >>> LOWER_BITS;
    }
  }

  private static void lower(int[] inOut, int length) {
    for (int i = 0; i < length; i++) {
      inOut[i] = FLOAT_BITS | (inOut[i] & ((1 << LOWER_BITS) - 1));
    }
  }

  private static void combine(float[] upper, float[] lower, int length, float base, float divisor) {
    for (int i = 0; i < length; i++) {
      upper[i] = ((upper[i] - FLOAT_OF_BITS) * (1 << LOWER_BITS) + (lower[i] - FLOAT_OF_BITS) + base) / divisor;
    }
  }

  /** Reads the floats at some positions of the column, as longs are read. */
  public void get(float[] out, int[] indexes, int from, int to, int chunk) {
    if (isDense(indexes, from, to)) {
      if (denseFloats == null) {
        denseFloats = new float[VECTOR];
      }
      for (int i = from; i < to; ) {
        final int start = (indexes[i] - chunk) / VECTOR * VECTOR;
        final int length = Math.min(VECTOR, numValues - start);
        get(denseFloats, 0, start, length);
        final int end = endOfVector(indexes, i, to, chunk + start, length);
        for (; i < end; i++) {
          out[i] = denseFloats[indexes[i] - chunk - start];
        }
      }
      return;
    }
    final int[] in = intsFor(to);
    switch (shape) {
      case RAW, SHUFFLED -> {
        for (int i = from; i < to; i++) {
          in[i] = floatBits(indexes[i] - chunk);
        }
      }
      default -> ints.get(in, indexes, from, to, chunk);
    }
    toFloats(in, from, out, from, to - from);
    if (numExceptions > 0) {
      for (int i = from; i < to; i++) {
        final int exception = exceptions.find(indexes[i] - chunk);
        if (exception >= 0) {
          out[i] = Float.intBitsToFloat((int) exceptionBits(exception));
        }
      }
    }
  }

  @Override
  public void close() {
    ints.close();
    releasePayload();
    bytes.release();
    exceptionBytes.release();
    readLinear(0, 0, -1);
  }

  private void releasePayload() {
    if (payloadHolder != null) {
      // Its next user may be a column of Druid's, which expects it so.
      payloadHolder.get().clear();
      payloadHolder.close();
      payloadHolder = null;
    }
  }
}
