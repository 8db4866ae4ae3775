// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.RowMatches;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.DecompressedPayload;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.Scratch;
import io.shapeshift.druid.form.ints.delta.DeltaInts;
import io.shapeshift.druid.form.ints.dictionary.DictionaryInts;
import io.shapeshift.druid.form.ints.packed.PackedLongs;
import io.shapeshift.druid.form.ints.runs.RunEndInts;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Reads the numbers of one chunk, whatever its form. A {@link FormDecoder} transforms the reader for each chunk into
 * one of its shapes: ints in a frame, which an {@link IntChunkReader} reads, or numbers that are read where they lie.
 *
 * <p>As there, the shape is state in fields, and each read is one switch on it. Longs and doubles are put together as
 * the bits of longs, floats as those of ints; doubles and floats are then a copy of memory away, and decimals a
 * division. Not for use by several threads at once.
 */
public abstract sealed class NumberChunkReader implements ChunkReader
    permits LongConverter, DoubleConverter, FloatConverter {
  static final int LINEAR = 0;
  static final int DECIMAL = 1;
  static final int DICTIONARY = 2;
  static final int DELTAS = 3;
  static final int RAW = 4;
  private static final int WIDE = 5;
  private static final int SPLIT = 6;
  static final int SHUFFLED = 7;
  private static final int[] NO_INTS = {};

  /** Values that are put together at once. */
  static final int VECTOR = Scratch.LENGTH;
  /** Whole vectors of differences are read if at least one in so many numbers is wanted. */
  private static final int DENSE_DELTAS = 100;
  /** The same for numbers with exceptions. */
  private static final int DENSE_EXCEPTIONS = 16;
  /** Fewer numbers by their positions than these are not worth a copy of the entries of a dictionary. */
  private static final int LEAST_TO_COPY = 64;
  /** As for differences, of packed longs. */
  private static final int DENSE_LONGS = 4;

  private final NumberType type;
  final IntChunkReader ints = new IntChunkReader();
  /** For at least a vector of ints; made for the first chunk in a frame. */
  int[] intVector = NO_INTS;
  final RawBytes bytes = new RawBytes();
  private final RawBytes exceptionBytes = new RawBytes();
  final SortedPositions exceptions = new SortedPositions();
  @Nullable
  private long[] longVector;
  @Nullable
  int[] places;
  @Nullable
  int[] runEnds;
  int shape = LINEAR;
  public int numValues;
  long base;
  long multiplier;
  /** Of decimals, ten to the power of the exponent. */
  double divisor;
  /** Index in the buffer of the entries, bases or numbers that are read where they lie. */
  int offset;
  int lastEntry;
  /** Whether there may be codes of which no array of the entries has one, as far as the header of the codes tells. */
  private boolean hasStrayCodes;
  private int width;
  private long smallestBase;
  /** Of differences, whether no long is less than the one before it. */
  boolean deltasAscend;
  /** Of differences, the index of the long that was read alone last, and the long; before the first there is none. */
  private int lastIndex;
  private long lastLong;
  @Nullable
  private PackedLongs packed;
  int numExceptions;
  private int exceptionsOffset;
  /** Number of exceptions before the listed ones. */
  int exceptionRank;
  /** Whether the numbers of a dictionary, of ints or of the frame, are at hand for the chunk. */
  boolean hasEntries;
  private final DecompressedPayload payload = new DecompressedPayload();
  private int decodedWhole;
  /** Made for the first filter. */
  @Nullable
  private NumberMatcher matcher;

  NumberChunkReader(NumberType type) {
    this.type = type;
  }

  /** Makes a reader of numbers of a type. */
  public static NumberChunkReader of(NumberType type) {
    return switch (type) {
      case LONG -> new LongChunkReader();
      case DOUBLE -> new DoubleChunkReader();
      case FLOAT -> new FloatChunkReader();
    };
  }

  /** The type of the numbers. */
  public final NumberType type() {
    return type;
  }

  @Override
  public final void startChunk(int numValues) {
    this.numValues = numValues;
    this.numExceptions = 0;
    this.hasEntries = false;
    ints.startChunk(numValues);
  }

  @Override
  public final int near() {
    return switch (shape) {
      case DELTAS -> NEAR_DELTAS;
      case RAW, WIDE, SHUFFLED -> NEAR;
      default -> ints.near();
    };
  }

  /** How many numbers the chunk has. */
  public final int numValues() {
    return numValues;
  }

  /** The reader of the ints that the numbers are made of, which the decoder of their form transforms. */
  public final IntChunkReader framedInts() {
    intsFor(VECTOR);
    return ints;
  }

  /** Takes the shape of integers, or of decimals if the exponent is not negative. */
  public final void readLinear(long base, long multiplier, int exponent) {
    shape = exponent < 0 ? LINEAR : DECIMAL;
    this.base = base;
    this.multiplier = multiplier;
    if (exponent >= 0) {
      divisor = PowersOfTen.of(exponent);
    }
  }

  /**
   * Puts exceptions into the shape.
   *
   * @param positions     index in the buffer of the exceptions' positions
   * @param layout        of the positions, already checked to be 0, 1 or 2
   * @param bits          index in the buffer of the exceptions' bits
   * @param numExceptions 1 or more
   * @throws MalformedChunkException if the positions contradict themselves
   */
  public final void readExceptions(ByteBuffer buffer, int positions, int layout, int bits, int numExceptions) {
    exceptions.read(buffer, positions, layout, numValues, numExceptions);
    exceptionBytes.wrap(buffer);
    exceptionsOffset = bits;
    this.numExceptions = numExceptions;
  }

  /** Takes the shape of places in a list of numbers. */
  public final void readEntries(ByteBuffer buffer, int offset, int numEntries) {
    shape = DICTIONARY;
    bytes.wrap(buffer);
    this.offset = offset;
    lastEntry = numEntries - 1;
  }

  /** Takes the shape of differences: see {@code DeltaFrame}. */
  public final void readDeltas(
      long minDelta,
      long multiplier,
      long smallestBase,
      int width,
      boolean ascend,
      ByteBuffer buffer,
      int offset
  ) {
    shape = DELTAS;
    base = minDelta;
    this.multiplier = multiplier;
    this.smallestBase = smallestBase;
    this.width = width;
    this.deltasAscend = ascend;
    this.lastIndex = -1;
    bytes.wrap(buffer);
    this.offset = offset;
  }

  /** Takes the shape of numbers as they are. */
  public final void readRaw(ByteBuffer buffer, int offset) {
    shape = RAW;
    bytes.wrap(buffer);
    this.offset = offset;
  }

  /** Takes the shape of numbers' bytes, the lowest of all numbers first. */
  public final void readShuffled(ByteBuffer buffer, int offset) {
    shape = SHUFFLED;
    bytes.wrap(buffer);
    this.offset = offset;
  }

  /**
   * Takes the shape of packed longs above a base.
   *
   * @param words  index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @throws MalformedChunkException if numbers of this width do not take so many bytes
   */
  public final void readWide(ByteBuffer buffer, int words, int length, int width, long base) {
    packed().read(buffer, words, length, numValues, width, base);
    shape = WIDE;
  }

  /** Takes the shape of packed lower bits, below ints; the parameters are those of {@link #readWide}. */
  public final void readSplit(ByteBuffer buffer, int words, int length, int width) {
    packed().read(buffer, words, length, numValues, width, 0);
    shape = SPLIT;
    this.width = width;
  }

  private PackedLongs packed() {
    if (packed == null) {
      packed = new PackedLongs();
    }
    return packed;
  }

  /** Decompresses a part of the chunk, as {@link DecompressedPayload#decompress} says. */
  public final ByteBuffer decompress(Codec codec, String name, ByteBuffer chunk, int offset, int length) {
    decodedWhole++;
    return payload.decompress(codec, name, chunk, offset, length);
  }

  @Override
  public final int takeDecodedWhole() {
    final int count = decodedWhole + ints.takeDecodedWhole();
    decodedWhole = 0;
    return count;
  }

  final long exceptionBits(int i) {
    return type == NumberType.FLOAT
           ? exceptionBytes.getInt(exceptionsOffset + Integer.BYTES * i)
           : exceptionBytes.getLong(exceptionsOffset + Long.BYTES * i);
  }

  private long entry(int code) {
    return bytes.getLong(offset + Long.BYTES * entryOf(code));
  }

  /** The entry that a code means: a damaged chunk may have codes without one, negative ones among them. */
  final int entryOf(int code) {
    return Math.min(code & Integer.MAX_VALUE, lastEntry);
  }

  /** Reads the codes of at most a vector of numbers, none of which is beyond what the entries have room for. */
  final void codes(int[] out, int at, int start, int length) {
    ints.get(out, at, start, length);
    clamp(out, at, length);
  }

  /** Reads the codes of numbers at positions, likewise. */
  final void codes(int[] out, int[] indexes, int from, int to, int chunk) {
    ints.get(out, indexes, from, to, chunk);
    clamp(out, from, to - from);
  }

  private void clamp(int[] codes, int from, int length) {
    if (hasStrayCodes) {
      for (int i = from; i < from + length; i++) {
        codes[i] = entryOf(codes[i]);
      }
    }
  }

  /** Finds out whether codes have to be looked at, for all reads of the chunk. */
  final void boundCodes() {
    // As many bits as the last one has are what most forms say of them, and then there is room.
    hasStrayCodes = !ints.isWithin((Integer.highestOneBit(lastEntry) << 1) - 1);
  }

  /** Whether a dictionary of the frame is there, of which a copy saves more than it costs for so many reads. */
  final boolean isWorthEntries(int reads) {
    return shape == DICTIONARY && (hasEntries || reads >= LEAST_TO_COPY);
  }

  private long deltaBase(int number) {
    return width == Long.SIZE
           ? bytes.getLong(offset + Long.BYTES * number)
           : smallestBase + BitStream.get(bytes, offset, width, number);
  }

  final long shuffled(int index) {
    long value = 0;
    for (int i = type.bytes() - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes.getByte(offset + i * numValues + index);
    }
    return value;
  }

  /** Adds up the differences from the long that was read last on, if none is stored itself behind that. */
  private long deltas(int index) {
    final int first = index & -DeltaInts.VALUES_PER_BASE;
    final boolean isAhead = lastIndex >= first && lastIndex <= index;
    final int from = isAhead ? lastIndex : first;
    final int count = index - from;
    long sum = 0;
    if (count > 0) {
      ints.get(intVector, 0, from + 1, count);
      for (int i = 0; i < count; i++) {
        sum += intVector[i];
      }
    }
    final long start = isAhead ? lastLong : deltaBase(index >> DeltaInts.LOG_VALUES_PER_BASE);
    lastLong = start + base * count + multiplier * sum;
    lastIndex = index;
    return lastLong;
  }

  /** The bits of a long, or of a double that is no decimal and no exception. */
  final long bits(int index) {
    return switch (shape) {
      case LINEAR, DECIMAL -> base + multiplier * ints.get(index);
      case DICTIONARY -> entry(ints.get(index));
      case DELTAS -> deltas(index);
      case RAW -> bytes.getLong(offset + Long.BYTES * index);
      case WIDE -> packed.get(index);
      case SPLIT -> (long) ints.get(index) << width | packed.get(index);
      default -> shuffled(index);
    };
  }

  /**
   * The bits of at most a vector of numbers, without exceptions and dictionaries; decimals as the integers with
   * something added.
   */
  final void bits(long[] out, int at, int start, int length, long added) {
    switch (shape) {
      case LINEAR, DECIMAL -> linear(out, at, start, length, base + added);
      case DELTAS -> deltas(out, at, start, length);
      case RAW -> bytes.getLongs(offset + Long.BYTES * start, out, at, length);
      case WIDE -> packed.get(out, at, start, length, 0);
      case SPLIT -> {
        ints.get(intVector, 0, start, length);
        packed.get(out, at, start, length, 0);
        join(intVector, out, at, length, width);
      }
      default -> {
        for (int i = 0; i < length; i++) {
          out[at + i] = shuffled(start + i);
        }
      }
    }
  }

  /** A method of its own, and {@link #linear} of longs, so that C2 sees nothing but the loops. */
  private void linear(long[] out, int at, int start, int length, long total) {
    if (!ints.shape().isInLongs()) {
      ints.get(intVector, 0, start, length);
      linear(intVector, 0, out, at, length, total, multiplier);
    } else if (multiplier == 1) {
      ints.shape().get(out, at, start, length, total);
    } else {
      ints.shape().get(out, at, start, length, 0);
      linear(out, at, length, total, multiplier);
    }
  }

  private void linear(long[] out, int[] indexes, int from, int to, int chunk, long total) {
    if (!ints.shape().isInLongs()) {
      final int[] in = intsFor(to);
      ints.get(in, indexes, from, to, chunk);
      linear(in, from, out, from, to - from, total, multiplier);
    } else if (multiplier == 1) {
      ints.shape().get(out, indexes, from, to, chunk, total);
    } else {
      ints.shape().get(out, indexes, from, to, chunk, 0);
      linear(out, from, to - from, total, multiplier);
    }
  }

  private static void linear(long[] inOut, int at, int length, long base, long multiplier) {
    for (int i = at; i < at + length; i++) {
      inOut[i] = base + multiplier * inOut[i];
    }
  }

  static void linear(int[] in, int from, long[] out, int at, int length, long base, long multiplier) {
    for (int i = 0; i < length; i++) {
      out[at + i] = base + multiplier * in[from + i];
    }
  }

  private static void join(int[] upper, long[] out, int at, int length, int width) {
    for (int i = 0; i < length; i++) {
      out[at + i] |= (long) upper[i] << width;
    }
  }

  private void deltas(long[] out, int at, int start, int length) {
    int done = 0;
    while (done < length) {
      final int from = start + done;
      final int inBlock = from & DeltaInts.VALUES_PER_BASE - 1;
      final int count = Math.min(length - done, DeltaInts.VALUES_PER_BASE - inBlock);
      long value = inBlock == 0 ? deltaBase(from >> DeltaInts.LOG_VALUES_PER_BASE) : deltas(from);
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

  /** Lists the exceptions of at most a vector: their number, their {@link #places}, and the {@link #exceptionRank}. */
  final int exceptionsIn(int start, int length) {
    if (places == null) {
      places = new int[VECTOR];
    }
    exceptionRank = start == 0 ? 0 : exceptions.rank(start - 1);
    return exceptionRank == numExceptions ? 0 : exceptions.list(start, start + length, exceptionRank, places);
  }

  private boolean isLinear() {
    return shape == LINEAR || shape == DECIMAL;
  }

  /** The dictionary that the ints are in, if numbers can be worked out for its entries instead of for all values. */
  @Nullable
  final DictionaryInts dictionary() {
    return isLinear() && ints.shape() instanceof DictionaryInts dictionary ? dictionary : null;
  }

  /** The runs that the ints are in, if it pays to work out the numbers of all of them for reads so dense. */
  @Nullable
  final RunEndInts runsFor(int[] indexes, int from, int to) {
    return isLinear() && ints.shape() instanceof RunEndInts runs && runs.areWorth(indexes, from, to) ? runs : null;
  }

  /** The short runs that the ints are in, likewise. */
  @Nullable
  final RunEndInts shortRuns() {
    return isLinear() && ints.shape() instanceof RunEndInts runs && runs.areShort() ? runs : null;
  }

  /** The runs among the ints, if numbers can be worked out for each run instead of for all values; 0 otherwise. */
  final int runs(int start, int length) {
    if (!isLinear()) {
      return 0;
    }
    if (runEnds == null) {
      runEnds = new int[VECTOR];
    }
    return ints.shape().runs(start, length, runEnds, intVector);
  }

  /** Whether whole vectors are read faster than each number that is wanted. */
  final boolean isDense(int[] indexes, int from, int to) {
    final int dense = switch (shape) {
      case LINEAR, DECIMAL -> Math.max(
          numExceptions > 0 ? DENSE_EXCEPTIONS : ints.shape().isInLongs() ? DENSE_LONGS : 0, ints.shape().runDensity());
      case DELTAS -> DENSE_DELTAS;
      case WIDE, SPLIT -> DENSE_LONGS;
      default -> 0;
    };
    return (long) indexes[to - 1] - indexes[from] < (long) (to - from - 1) * dense;
  }

  /** Room for the ints of positions, at the same places. */
  final int[] intsFor(int length) {
    if (intVector.length < length) {
      intVector = new int[length];
    }
    return intVector;
  }

  final long[] longVector(int length) {
    if (longVector == null || longVector.length < length) {
      longVector = new long[Math.max(VECTOR, length)];
    }
    return longVector;
  }

  /** The bits of numbers at positions, without exceptions. */
  final void bits(long[] out, int[] indexes, int from, int to, int chunk, long added) {
    switch (shape) {
      case LINEAR, DECIMAL -> linear(out, indexes, from, to, chunk, base + added);
      case DICTIONARY -> {
        final int[] in = intsFor(to);
        ints.get(in, indexes, from, to, chunk);
        for (int i = from; i < to; i++) {
          out[i] = entry(in[i]);
        }
      }
      case WIDE -> packed.get(out, indexes, from, to, chunk, 0);
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

  /**
   * Finds the numbers that a filter looks for.
   *
   * @param out a bit for each number of the chunk, cleared; afterwards those of what was found are set, if that is
   *     neither all nor nothing
   */
  public final Found find(WantedNumbers wanted, long[] out) {
    if (matcher == null) {
      matcher = new NumberMatcher(this);
    }
    intsFor(VECTOR);
    return matcher.find(wanted, out);
  }

  /**
   * How many of some numbers of the chunk a filter looks for.
   *
   * @param length at most 512
   */
  public final int count(WantedNumbers wanted, int start, int length) {
    int count = 0;
    for (long key : keysOf(start, length)) {
      count += wanted.contains(key) ? 1 : 0;
    }
    return count;
  }

  /** The key of one number of the chunk: see {@link NumberType#key}. */
  public final long keyAt(int index) {
    return keysOf(index, 1)[0];
  }

  private long[] keysOf(int start, int length) {
    final long[] keys = new long[length];
    intsFor(VECTOR);
    keys(keys, start, length);
    return keys;
  }

  /** How many numbers of the chunk {@link #find} asks a test for. */
  public final int numTests() {
    if (matcher == null) {
      matcher = new NumberMatcher(this);
    }
    return matcher.numTests();
  }

  /** Whether numbers in the frame ascend with their ints, up to one that no int of the chunk exceeds. */
  final boolean ascends(int greatest) {
    if (multiplier <= 0 || Math.multiplyHigh(multiplier, greatest) != 0 || multiplier * greatest < 0) {
      return false;
    }
    final long last = base + multiplier * greatest;
    return last >= base && areInOrder(base, last);
  }

  /** Whether integers in the frame, from one to another, make numbers that ascend. */
  abstract boolean areInOrder(long first, long last);

  /** The key of the number that an int is in the frame, if it is no exception. */
  abstract long keyOf(int value);

  /** Whether no two ints make the same number: large integers divided by a power of ten may be the same float. */
  final boolean hasOneIntEach() {
    return shape != DECIMAL || type != NumberType.FLOAT;
  }

  /** The int whose number in the frame has a key; any other if none has. To be asked if each number has one int. */
  abstract long intOf(long key);

  /** The int whose bits in the frame these are; any other if there is none. */
  final long intOfBits(long bits) {
    return multiplier == 1 ? bits - base : (bits - base) / multiplier;
  }

  /** The key of an entry of a dictionary of numbers. */
  final long keyOfEntry(int i) {
    return type.key(type == NumberType.FLOAT
        ? bytes.getInt(offset + Integer.BYTES * i)
        : bytes.getLong(offset + Long.BYTES * i));
  }

  /** Compares at most a vector of numbers with the ranges that are wanted, as a row. */
  abstract void compare(int start, int length, WantedNumbers wanted, RowMatches matches, int row);

  /** The keys of at most a vector of numbers, to an array from 0 on. */
  abstract void keys(long[] out, int start, int length);

  @Override
  public final void close() {
    ints.close();
    payload.release();
    bytes.release();
    if (packed != null) {
      packed.release();
    }
    exceptionBytes.release();
    numExceptions = 0;
    readLinear(0, 0, -1);
  }
}
