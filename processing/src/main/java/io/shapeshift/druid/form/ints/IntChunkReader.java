// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.bits.BitRanges;
import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.Found;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.DecompressedPayload;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Reads the values of one int chunk, whatever its form. A {@link FormDecoder} transforms the reader for each chunk
 * into one of its shapes: a constant, values packed in one of several ways that are read where they lie, or decoded
 * values.
 *
 * <p>The shape is state in fields, and each read is one switch on it: however many forms and widths a JVM has met,
 * there is no virtual call that could become megamorphic. Not for use by several threads at once.
 */
public final class IntChunkReader implements ChunkReader {
  // Not an enum: a switch on one takes two more loads.
  private static final int CONSTANT = 0;
  private static final int BYTES_1 = 1;
  private static final int BYTES_2 = 2;
  private static final int BYTES_3 = 3;
  private static final int BYTES_4 = 4;
  private static final int BIT_PACKED = 5;
  private static final int PATCHED = 6;
  private static final int DICTIONARY = 7;
  private static final int RUNS = 8;
  private static final int DELTAS = 9;
  private static final int DECODED = 10;
  private static final int SHUFFLED = 11;
  private static final int BYTE_CODES = 12;
  private static final int BITS = 13;
  private static final int RADIX = 14;

  // Whole vectors are read if at least one in so many values is wanted: that is faster than each value alone.
  private static final int NEVER_DENSE = 0;
  private static final int DENSE_BITS = 4;
  private static final int DENSE_PATCHED = 4;
  private static final int DENSE_SPARSE = 3;
  private static final int DENSE_DICTIONARY = 2;
  private static final int DENSE_RUNS = 3;
  private static final int DENSE_DELTAS = 100;
  private static final int DENSE_RADIX = 4;
  /** {@link #near} of packed values, of which a vector is unpacked without a branch. */
  private static final int NEAR_BITS = 24;

  private final Scratch scratch = new Scratch();
  private final PackedInts packedInts = new PackedInts(scratch);
  // Made when first needed: many columns are opened for a few rows.
  @Nullable
  private PatchedInts patchedInts;
  @Nullable
  private DictionaryInts dictionaryInts;
  @Nullable
  private RunEndInts runEndInts;
  @Nullable
  private DeltaInts deltaInts;
  @Nullable
  private RadixInts radixInts;
  @Nullable
  private IntMatcher matcher;
  private int shape = CONSTANT;
  private int dense = NEVER_DENSE;
  private int numValues;
  private int constant;
  private final RawBytes packed = new RawBytes();
  private int packedOffset;
  /** For shuffled values the bytes of each; for bits the base 2 logarithm of their width. */
  private int packedSize;
  /** For bits: the mask of a value, and the base that is added to it. */
  private int bitsMask;
  private int bitsBase;
  /** The array that decoded values are read from: the one of the holder. */
  @Nullable
  private int[] decoded;
  @Nullable
  private ResourceHolder<int[]> decodedHolder;
  private final DecompressedPayload payload = new DecompressedPayload();
  private int decodedWhole;

  @Override
  public void startChunk(int numValues) {
    dense = NEVER_DENSE;
    this.numValues = numValues;
  }

  @Override
  public int near() {
    return switch (shape) {
      case DELTAS -> NEAR_DELTAS;
      case BIT_PACKED -> NEAR_BITS;
      default -> NEAR;
    };
  }

  /** How many values the chunk has. */
  int numValues() {
    return numValues;
  }

  /** Takes the shape of one value repeated. */
  void readConstant(int value) {
    constant = value;
    shape = CONSTANT;
  }

  /**
   * Takes the shape of values packed into bytes.
   *
   * @param buffer   where they are, in its byte order; neither position nor limit are used
   * @param offset   index of the first
   * @param numBytes bytes of each, 1 to 4
   */
  void readPacked(ByteBuffer buffer, int offset, int numBytes) {
    packed.wrap(buffer);
    packedOffset = offset;
    shape = switch (numBytes) {
      case 1 -> BYTES_1;
      case 2 -> BYTES_2;
      case 3 -> BYTES_3;
      default -> BYTES_4;
    };
  }

  /** Takes the shape of bytes in the order of {@link ShuffleForm}. */
  void readShuffled(ByteBuffer buffer, int offset, int numBytes) {
    packed.wrap(buffer);
    packedOffset = offset;
    packedSize = numBytes;
    shape = SHUFFLED;
  }

  /**
   * Takes the shape of bytes that stand for the entries of a dictionary.
   *
   * @param entries    index in the buffer of the first entry
   * @param numEntries 1 to {@link ByteDictionaryForm#MAX_ENTRIES}
   * @param numBytes   of each entry, 1 to 4
   * @param codes      index in the buffer of the first value's byte
   */
  void readByteCodes(ByteBuffer buffer, int entries, int numEntries, int numBytes, int codes) {
    packed.wrap(buffer);
    packedOffset = codes;
    final int[] all = scratch.entries();
    for (int code = 0; code < numEntries; code++) {
      all[code] = BytePacking.get(buffer, entries + code * numBytes, numBytes);
    }
    // Codes without an entry, which only a damaged chunk has, are read as the last.
    Arrays.fill(all, numEntries, all.length, all[numEntries - 1]);
    shape = BYTE_CODES;
  }

  /** Takes the shape of values of one, two or four bits, as in {@link BitsForm}. */
  void readBits(ByteBuffer buffer, int offset, int logWidth, int mask, int base) {
    packed.wrap(buffer);
    packedOffset = offset;
    packedSize = logWidth;
    bitsMask = mask;
    bitsBase = base;
    shape = BITS;
  }

  private int bits(int index) {
    final int bit = index << packedSize;
    return (packed.getByte(packedOffset + (bit >> 3)) >>> (bit & 7) & bitsMask) + bitsBase;
  }

  /**
   * Takes the shape of values in transposed packing, all of them above one base.
   *
   * @param buffer where they are, in its byte order; neither position nor limit are used
   * @param words  index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @param width  bits of each value, 0 to 31
   * @param base   what is added to each
   * @param inLongs whether the words are of 64 bits
   * @throws MalformedChunkException if values of this width do not take so many bytes
   */
  void readBitPacked(ByteBuffer buffer, int words, int length, int width, int base, boolean inLongs) {
    if (inLongs) {
      packedInts.readInLongs(buffer, words, length, numValues, width, base);
    } else {
      packedInts.read(buffer, words, length, numValues, width, base);
    }
    shape = BIT_PACKED;
    dense = DENSE_BITS;
  }

  /**
   * Takes the shape of values in transposed packing, those of each row above a base of its own.
   *
   * @param rowBases index in the buffer of the first row's base, an int
   */
  void readBitPackedRows(ByteBuffer buffer, int rowBases, int words, int length, int width, boolean inLongs) {
    if (inLongs) {
      packedInts.readRowsInLongs(buffer, rowBases, words, length, numValues, width);
    } else {
      packedInts.readRows(buffer, rowBases, words, length, numValues, width);
    }
    shape = BIT_PACKED;
    dense = DENSE_BITS;
  }

  /**
   * Takes the shape of packed values with exceptions, as in {@link PatchedForm}.
   *
   * @param positions      index in the buffer of the exceptions' positions
   * @param layout         of the positions, already checked to be 0, 1 or 2
   * @param exceptions     index in the buffer of the exceptions, with {@link BitStream#SLACK} bytes behind them
   * @param numExceptions  1 or more
   * @param exceptionWidth bits of each exception
   * @param exceptionBase  what is added to each exception
   * @param words          as for {@link #readBitPacked}, like all that follow
   * @throws MalformedChunkException if the positions contradict themselves, or the words are too many or too few
   */
  void readPatched(
      ByteBuffer buffer,
      int positions,
      int layout,
      int exceptions,
      int numExceptions,
      int exceptionWidth,
      int exceptionBase,
      int words,
      int length,
      int width,
      int base,
      boolean inLongs
  ) {
    if (patchedInts == null) {
      patchedInts = new PatchedInts(scratch);
    }
    if (inLongs) {
      patchedInts.codes.readInLongs(buffer, words, length, numValues, width, base);
    } else {
      patchedInts.codes.read(buffer, words, length, numValues, width, base);
    }
    patchedInts.positions.read(buffer, positions, layout, numValues, numExceptions);
    patchedInts.read(buffer, exceptions, numExceptions, exceptionWidth, exceptionBase, width, base);
    shape = PATCHED;
    dense = patchedInts.isSparse() ? DENSE_SPARSE : DENSE_PATCHED;
  }

  /**
   * Takes the shape of a dictionary and codes, as in {@link DictionaryForm}.
   *
   * @param entries    index in the buffer of the entries, with {@link BitStream#SLACK} bytes behind them
   * @param numEntries 1 or more
   * @param entryWidth bits of each entry
   * @param base       what is added to each entry
   * @param words      index in the buffer of the first word of the codes
   * @param length     bytes of the words, all within the buffer's capacity
   * @param codeWidth  bits of each code
   * @throws MalformedChunkException if codes of this width do not take so many bytes
   */
  void readDictionary(
      ByteBuffer buffer,
      int entries,
      int numEntries,
      int entryWidth,
      int base,
      int words,
      int length,
      int codeWidth
  ) {
    if (dictionaryInts == null) {
      dictionaryInts = new DictionaryInts(scratch);
    }
    dictionaryInts.codes.read(buffer, words, length, numValues, codeWidth, 0);
    dictionaryInts.read(buffer, entries, numEntries, entryWidth, base);
    shape = DICTIONARY;
    dense = DENSE_DICTIONARY;
  }

  /** The dictionary that the chunk's values are in, if there is one. */
  @Nullable
  public DictionaryInts dictionaryOfChunk() {
    return shape == DICTIONARY ? dictionaryInts : null;
  }

  /** The runs that the chunk's values are in, if there are any and it pays to unpack all for reads so dense. */
  @Nullable
  public RunEndInts runsOfChunk(int[] indexes, int from, int to) {
    return shape == RUNS && runEndInts.areWorth(indexes, from, to) ? runEndInts : null;
  }

  /** The runs that the chunk's values are in, if there are any and they are short. */
  @Nullable
  public RunEndInts shortRunsOfChunk() {
    return shape == RUNS && runEndInts.areShort() ? runEndInts : null;
  }

  /** The runs of whole vectors are read if at least one in so many values is wanted; 0 without runs. */
  public int denseRuns() {
    return shape == RUNS || (shape == PATCHED && patchedInts.isSparse() && !isInLongs()) ? dense : NEVER_DENSE;
  }

  /**
   * The runs of equal values among those from {@code start} on, if the chunk is stored so.
   *
   * @param length of a vector at the most
   * @param ends   for each run, how many of the values are before its end
   * @param values for each run, its value
   * @return the number of runs; 0 if the chunk is stored in another way, or they are not worth it
   */
  public int runs(int start, int length, int[] ends, int[] values) {
    if (shape == CONSTANT) {
      ends[0] = length;
      values[0] = constant;
      return 1;
    }
    return switch (shape) {
      case RUNS -> runEndInts.runs(start, length, ends, values);
      case PATCHED -> isInLongs() ? 0 : patchedInts.runs(start, length, ends, values);
      default -> 0;
    };
  }

  /**
   * Takes the shape of runs of equal values, as in {@link RunEndForm}.
   *
   * @param ends    index in the buffer of the positions at which a run ends, one less than runs
   * @param layout  of the positions, already checked to be 0, 1 or 2
   * @param values  index in the buffer of the runs' values, with {@link BitStream#SLACK} bytes behind them
   * @param numRuns 2 or more
   * @param width   bits of each run's value
   * @param base    what is added to each
   * @throws MalformedChunkException if the ends contradict themselves
   */
  void readRuns(ByteBuffer buffer, int ends, int layout, int values, int numRuns, int width, int base) {
    if (runEndInts == null) {
      runEndInts = new RunEndInts(scratch);
    }
    runEndInts.ends.read(buffer, ends, layout, numValues, numRuns - 1);
    runEndInts.read(buffer, values, numValues, numRuns, width, base);
    shape = RUNS;
    dense = DENSE_RUNS;
  }

  /**
   * Takes the shape of differences, as in {@link DeltaForm}.
   *
   * @param bases  index in the buffer of the values that are stored themselves
   * @param words  index in the buffer of the first word of the differences
   * @param length bytes of the words, all within the buffer's capacity
   * @param width  bits of each difference
   * @param base   what is added to each difference
   * @param ascend whether no value is less than the one before it
   * @throws MalformedChunkException if differences of this width do not take so many bytes
   */
  void readDeltas(ByteBuffer buffer, int bases, int words, int length, int width, int base, boolean ascend) {
    if (deltaInts == null) {
      deltaInts = new DeltaInts(scratch);
    }
    deltaInts.packed.read(buffer, words, length, numValues, width, base);
    deltaInts.read(buffer, bases, ascend);
    shape = DELTAS;
    dense = DENSE_DELTAS;
  }

  /** A bound that no value of the chunk is less than, as far as its header tells; otherwise 0. */
  public int least() {
    return toInt(leastBound());
  }

  private long leastBound() {
    return switch (shape) {
      case CONSTANT -> constant;
      case BIT_PACKED -> packedInts.least();
      case PATCHED -> patchedInts.least();
      case DICTIONARY -> dictionaryInts.least();
      case RUNS -> runEndInts.least();
      case RADIX -> radixInts.least();
      case DELTAS -> deltaInts.ascend() ? deltaInts.get(0) : 0;
      case BITS -> bitsBase;
      default -> 0;
    };
  }

  /** A bound that no value of the chunk exceeds, as far as its header tells; otherwise the largest int. */
  public int greatest() {
    return toInt(greatestBound());
  }

  private long greatestBound() {
    return switch (shape) {
      case CONSTANT -> constant;
      case BYTES_1 -> 0xFF;
      case BYTES_2 -> 0xFFFF;
      case BYTES_3 -> 0xFF_FFFF;
      case BIT_PACKED -> packedInts.greatest();
      case PATCHED -> patchedInts.greatest();
      case DICTIONARY -> dictionaryInts.greatest();
      case RUNS -> runEndInts.greatest();
      case RADIX -> radixInts.greatest();
      case DELTAS -> deltaInts.ascend() ? deltaInts.get(numValues - 1) : Integer.MAX_VALUE;
      case BITS -> (long) bitsBase + bitsMask;
      default -> Integer.MAX_VALUE;
    };
  }

  /**
   * Whether all values are 0 to {@code most} even if the chunk is damaged: differences may sum up to anything. It takes
   * longer than a read of one value.
   */
  public boolean isWithin(int most) {
    return shape != DELTAS && leastBound() >= 0 && greatestBound() <= most;
  }

  /** A bound that is no int is that of a width of which not all values are there, or of a damaged chunk. */
  private static int toInt(long bound) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, bound));
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

  /**
   * Finds the values of a range, once per run or entry where the chunk has some.
   *
   * @param from the least, from 0 on
   * @param to   the greatest, inclusive
   * @param out  a bit for each value of the chunk is set where it is found, beside those that are set
   */
  public void between(int from, int to, long[] out) {
    final IntMatcher matching = matcher();
    final boolean found = switch (shape) {
      case DICTIONARY -> entriesBetween(from, to, out);
      case BIT_PACKED -> packedInts.between(matching.packed(), from, to, out);
      case PATCHED -> patchedInts.between(matching.packed(), from, to, out);
      case DELTAS -> ascendingBetween(from, to, out);
      default -> false;
    };
    if (!found && !matching.runsBetween(this, numValues, from, to, out)) {
      matching.between((vector, start, length) -> get(vector, 0, start, length), numValues, from, to, out);
    }
  }

  /**
   * Finds a value within {@link #least} and {@link #greatest}: where words are compared, faster than {@link #between}
   * if few are equal.
   *
   * @return whether there may be some
   */
  public boolean equal(int value, long[] out) {
    if (shape == BIT_PACKED && packedInts.isInLongs() && packedInts.longs.isComparedByWord()) {
      return packedInts.longs.equal(matcher().packed(), value, out);
    }
    between(value, value, out);
    return true;
  }

  /**
   * Finds the values of a set.
   *
   * @param set      bit i says whether {@code least + i} is in the set
   * @param least    no value is less
   * @param greatest no value exceeds it
   * @param out      a bit for each value of the chunk is set where it is found, beside those that are set
   */
  public void in(long[] set, int least, int greatest, long[] out) {
    matcher().in((vector, start, length) -> get(vector, 0, start, length), numValues, set, least, greatest, out);
  }

  /**
   * Finds the values of a list.
   *
   * @param wanted the first {@code count} are looked for; they ascend
   * @param out    a bit for each value of the chunk is set where it is found, beside those that are set
   */
  public void in(int[] wanted, int count, long[] out) {
    matcher().in((vector, start, length) -> get(vector, 0, start, length), numValues, wanted, count, out);
  }

  /** Finds the values of a range between its ends, if values ascend. */
  private boolean ascendingBetween(int from, int to, long[] out) {
    if (!deltaInts.ascend()) {
      return false;
    }
    BitRanges.set(out, deltaInts.firstFrom(from), deltaInts.firstFrom(to + 1L));
    return true;
  }

  /** Finds the values of a dictionary in a range by their codes. */
  private boolean entriesBetween(int from, int to, long[] out) {
    final int[] entries = dictionaryInts.entries();
    final int numCodes = dictionaryInts.numCodes();
    final long[] set = new long[(numCodes + Long.SIZE - 1) / Long.SIZE];
    int first = -1;
    int end = 0;
    int found = 0;
    for (int code = 0; code < numCodes; code++) {
      if (entries[code] >= from && entries[code] <= to) {
        set[code >>> 6] |= 1L << code;
        first = first < 0 ? code : first;
        end = code + 1;
        found++;
      }
    }
    if (found > 0 && end - first > found) {
      matcher().in(this::codes, numValues, set, 0, numCodes - 1, out);
    } else if (found > 0 && !dictionaryInts.codes.between(matcher().packed(), first, end - 1, out)) {
      matcher().between(this::codes, numValues, first, end - 1, out);
    }
    return true;
  }

  private void codes(int[] out, int start, int length) {
    dictionaryInts.codes(out, 0, start, length);
  }

  private IntMatcher matcher() {
    if (matcher == null) {
      matcher = new IntMatcher();
    }
    return matcher;
  }

  /** Whether {@link #get(long[], int, int, int, long)} makes longs of the values without ints. */
  public boolean isInLongs() {
    return switch (shape) {
      case BIT_PACKED -> packedInts.isInLongs();
      case PATCHED -> patchedInts.codes.isInLongs();
      default -> false;
    };
  }

  /**
   * Reads the values from {@code start} on as longs; only of chunks that are {@link #isInLongs}.
   *
   * @param out   where they go, from {@code offset} on
   * @param start index in the chunk; with length at most the number of values, which the caller has checked
   * @param added to each value
   */
  public void get(long[] out, int offset, int start, int length, long added) {
    if (shape == PATCHED) {
      patchedInts.get(out, offset, start, length, added);
    } else {
      packedInts.longs.get(out, offset, start, length, added);
    }
  }

  /** Reads values at some positions as longs, as {@link #get(int[], int[], int, int, int)} reads ints. */
  public void get(long[] out, int[] indexes, int from, int to, int base, long added) {
    if (shape == PATCHED) {
      patchedInts.get(out, indexes, from, to, base, added);
    } else {
      packedInts.longs.get(out, indexes, from, to, base, added);
    }
  }

  /**
   * Takes the shape of several values in one fraction, as in {@link RadixForm}.
   *
   * @param words  index in the buffer of the first word of the fractions
   * @param length bytes of the words, all within the buffer's capacity
   * @param layout already checked
   * @param base   what is added to each digit
   * @throws MalformedChunkException if fractions of this layout do not take so many bytes
   */
  void readRadix(ByteBuffer buffer, int words, int length, RadixForm.Layout layout, int base) {
    if (radixInts == null) {
      radixInts = new RadixInts(scratch);
    }
    radixInts.read(buffer, words, length, numValues, layout, base);
    shape = RADIX;
    dense = DENSE_RADIX;
  }

  /** Takes the shape of the values that were written to {@link #decodedValues()}. */
  void readDecoded() {
    shape = DECODED;
    // What they were decoded from is of no more use.
    payload.release();
  }

  /** Counts the chunk among those that are decoded whole. */
  void countDecodedWhole() {
    decodedWhole++;
  }

  @Override
  public int takeDecodedWhole() {
    final int count = decodedWhole;
    decodedWhole = 0;
    return count;
  }

  /** An array of at least {@link Limits#MAX_DIRECT_INTS} to decode into; taken from a pool when first needed. */
  int[] decodedValues() {
    if (decodedHolder == null) {
      decodedHolder = IntPools.INTS.take();
      decoded = decodedHolder.get();
    }
    return decoded;
  }

  /**
   * Decompresses a part of the chunk, whose shape may then be the packed values in the payload: see
   * {@link DecompressedPayload#decompress}.
   */
  ByteBuffer decompress(Codec codec, String name, ByteBuffer chunk, int offset, int length) {
    countDecodedWhole();
    return payload.decompress(codec, name, chunk, offset, length);
  }

  /**
   * The value at an index of the chunk.
   *
   * @param index from 0 to less than the number of values, which the caller has checked
   */
  public int get(int index) {
    return switch (shape) {
      case CONSTANT -> constant;
      case BYTES_1 -> BytePacking.get1(packed, packedOffset + index);
      case BYTES_2 -> BytePacking.get2(packed, packedOffset + 2 * index);
      case BYTES_3 -> BytePacking.get3(packed, packedOffset + 3 * index);
      case BYTES_4 -> packed.getInt(packedOffset + 4 * index);
      case BIT_PACKED -> packedInts.get(index);
      case PATCHED -> patchedInts.get(index);
      case DICTIONARY -> dictionaryInts.get(index);
      case RUNS -> runEndInts.get(index);
      case DELTAS -> deltaInts.get(index);
      case RADIX -> radixInts.get(index);
      case SHUFFLED -> BytePacking.getShuffled(packed, packedOffset, numValues, packedSize, index);
      case BYTE_CODES -> scratch.entries()[BytePacking.get1(packed, packedOffset + index)];
      case BITS -> bits(index);
      default -> decoded[index];
    };
  }

  /**
   * Reads the values from {@code start} on.
   *
   * @param start  index in the chunk; with length at most the number of values, which the caller has checked
   * @param out    where they go, from {@code offset} on
   */
  public void get(int[] out, int offset, int start, int length) {
    switch (shape) {
      case CONSTANT -> Arrays.fill(out, offset, offset + length, constant);
      case BYTES_1 -> BytePacking.unpack1(packed, packedOffset + start, out, offset, length);
      case BYTES_2 -> BytePacking.unpack2(packed, packedOffset + 2 * start, out, offset, length);
      case BYTES_3 -> BytePacking.unpack3(packed, packedOffset + 3 * start, out, offset, length);
      case BYTES_4 -> BytePacking.unpack4(packed, packedOffset + 4 * start, out, offset, length);
      case BIT_PACKED -> packedInts.get(out, offset, start, length);
      case PATCHED -> patchedInts.get(out, offset, start, length);
      case DICTIONARY -> dictionaryInts.get(out, offset, start, length);
      case RUNS -> runEndInts.get(out, offset, start, length);
      case DELTAS -> deltaInts.get(out, offset, start, length);
      case RADIX -> radixInts.get(out, offset, start, length);
      case SHUFFLED ->
          BytePacking.unshuffle(packed, packedOffset, numValues, packedSize, start, out, offset, length);
      case BYTE_CODES -> {
        BytePacking.unpack1(packed, packedOffset + start, out, offset, length);
        final int[] entries = scratch.entries();
        for (int i = offset; i < offset + length; i++) {
          out[i] = entries[out[i]];
        }
      }
      case BITS -> {
        for (int i = 0; i < length; i++) {
          out[offset + i] = bits(start + i);
        }
      }
      default -> System.arraycopy(decoded, start, out, offset, length);
    }
  }

  /**
   * Reads the values at some positions of the column, all of which are in this chunk.
   *
   * @param out     where they go, at the same places as their positions in {@code indexes}
   * @param indexes positions in the column
   * @param from    the first that counts
   * @param to      end index, exclusive
   * @param base    position in the column of the chunk's first value
   */
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    if (from < to && (long) (indexes[to - 1] - indexes[from]) < (long) (to - from - 1) * dense) {
      getDense(out, indexes, from, to, base);
    } else {
      getSparse(out, indexes, from, to, base);
    }
  }

  /** Reads whole vectors, and picks from them what is wanted. */
  private void getDense(int[] out, int[] indexes, int from, int to, int base) {
    int i = from;
    while (i < to) {
      final int index = indexes[i] - base;
      final int contiguous = contiguous(indexes, i, Math.min(to - i, Scratch.LENGTH));
      if (contiguous > 1) {
        get(out, i, index, contiguous);
        i += contiguous;
      } else {
        final int[] vector = scratch.values();
        final int start = index / Scratch.LENGTH * Scratch.LENGTH;
        final int length = Math.min(Scratch.LENGTH, numValues - start);
        get(vector, 0, start, length);
        final int end = endOfVector(indexes, i, to, base + start, length);
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

  private static int endOfVector(int[] indexes, int from, int to, int base, int length) {
    int i = from + 1;
    while (i < to && Integer.compareUnsigned(indexes[i] - base, length) < 0) {
      i++;
    }
    return i;
  }

  private static void pick(int[] vector, int[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = vector[indexes[i] - base];
    }
  }

  private void getSparse(int[] out, int[] indexes, int from, int to, int base) {
    switch (shape) {
      case CONSTANT -> Arrays.fill(out, from, to, constant);
      case BYTES_1 -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.get1(packed, packedOffset + (indexes[i] - base));
        }
      }
      case BYTES_2 -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.get2(packed, packedOffset + 2 * (indexes[i] - base));
        }
      }
      case BYTES_3 -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.get3(packed, packedOffset + 3 * (indexes[i] - base));
        }
      }
      case BYTES_4 -> {
        for (int i = from; i < to; i++) {
          out[i] = packed.getInt(packedOffset + 4 * (indexes[i] - base));
        }
      }
      case BIT_PACKED -> packedInts.get(out, indexes, from, to, base);
      case PATCHED -> patchedInts.get(out, indexes, from, to, base);
      case DICTIONARY -> dictionaryInts.get(out, indexes, from, to, base);
      case RUNS -> runEndInts.get(out, indexes, from, to, base);
      case DELTAS -> deltaInts.get(out, indexes, from, to, base);
      case RADIX -> radixInts.get(out, indexes, from, to, base);
      case SHUFFLED -> {
        for (int i = from; i < to; i++) {
          out[i] = BytePacking.getShuffled(packed, packedOffset, numValues, packedSize, indexes[i] - base);
        }
      }
      case BYTE_CODES -> {
        final int[] entries = scratch.entries();
        for (int i = from; i < to; i++) {
          out[i] = entries[BytePacking.get1(packed, packedOffset + (indexes[i] - base))];
        }
      }
      case BITS -> {
        for (int i = from; i < to; i++) {
          out[i] = bits(indexes[i] - base);
        }
      }
      default -> {
        for (int i = from; i < to; i++) {
          out[i] = decoded[indexes[i] - base];
        }
      }
    }
  }

  @Override
  public void close() {
    if (decodedHolder != null) {
      decodedHolder.close();
      decodedHolder = null;
      decoded = null;
    }
    payload.release();
    packed.release();
    shape = CONSTANT;
  }
}
