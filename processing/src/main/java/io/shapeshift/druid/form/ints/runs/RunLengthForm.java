// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.DecodedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntStatistics;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Run length encoding over byte-packed words. A word with its high bit set is the length of a run, and the next word is
 * the repeated value. A word with its high bit clear is a single value. Two equal values in a row are stored as single
 * values, because a run would not be shorter.
 *
 * <pre>
 * | bytes               | content                           |
 * |---------------------|-----------------------------------|
 * | 1                   | form id, 4                        |
 * | 1                   | numBytes, 1 to 4                  |
 * | numWords * numBytes | words, in the column's byte order |
 * </pre>
 * Example, little-endian: 9 9 9 9 5 is {@code 04 01 84 09 05}.
 *
 * <p>Words of one byte hold run lengths up to 127 only: a longer run is stored as several.
 */
public final class RunLengthForm extends CompressibleIntForm {
  static final byte ID = 4;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "rle";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Runs.RUN_LENGTH_COST;
  }

  @Override
  public Set<Use> uses() {
    // For numbers, other forms are faster and as small.
    return EnumSet.of(Use.IDS);
  }

  private RunStatistics runs(IntStatistics statistics) {
    return statistics.findings().once(
        this, RunStatistics.class, () -> RunStatistics.of(statistics.values(), statistics.numValues()));
  }

  @Override
  public int metadata(IntChunk chunk) {
    return numBytes(chunk.statistics());
  }

  private int numBytes(IntStatistics statistics) {
    // Words of two or more bytes hold every run length, so only words of one byte have to be weighed.
    final int numBytes = BytePacking.numBytes(statistics.max() << 1 | 1);
    return numBytes == 1 && runs(statistics).wordsOfOne() > 2 * wordsOfMore(statistics) ? 2 : numBytes;
  }

  @Override
  public int payloadSize(IntChunk chunk) {
    final IntStatistics statistics = chunk.statistics();
    return numBytes(statistics) == 1 ? runs(statistics).wordsOfOne() : numBytes(statistics) * wordsOfMore(statistics);
  }

  private int wordsOfMore(IntStatistics statistics) {
    final RunStatistics runs = runs(statistics);
    return statistics.numValues() - runs.numValues() + 2 * runs.numRuns();
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return runs(chunk.statistics()).numRuns() == 0 || chunk.size() > Limits.MAX_DIRECT_INTS
           ? Estimate.SKIP
           : super.estimate(chunk);
  }

  @Override
  public void encodePayload(IntChunk chunk, ByteBuffer out) {
    final int numBytes = numBytes(chunk.statistics());
    final int runFlag = 1 << (8 * numBytes - 1);
    final int longest = RunStatistics.longestRun(numBytes);
    final int[] values = chunk.values();
    final int size = chunk.size();
    int start = 0;
    while (start < size) {
      final int value = values[start];
      int end = start + 1;
      while (end < size && values[end] == value && end - start < longest) {
        end++;
      }
      final int length = end - start;
      if (length >= RunStatistics.SHORTEST_RUN) {
        BytePacking.put(runFlag | length, numBytes, out);
        BytePacking.put(value, numBytes, out);
      } else {
        for (int i = 0; i < length; i++) {
          BytePacking.put(value, numBytes, out);
        }
      }
      start = end;
    }
  }

  @Override
  public boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    return true;
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    super.transform(chunk, offset, length, reader);
    reader.countDecodedWhole();
  }

  @Override
  public void transformPayload(int numBytes, ByteBuffer payload, int offset, int length, IntChunkReader reader) {
    Checks.checkWordBytes(this, numBytes, 1);
    Checks.checkNumValues(this, reader.numValues());
    final int numValues = reader.numValues();
    final DecodedInts decoded = reader.shape(DecodedInts.class, scratch -> new DecodedInts());
    final int[] out = decoded.start(numValues);
    final int runFlag = 1 << (8 * numBytes - 1);
    final int end = offset + length;
    int position = offset;
    int filled = 0;
    while (position + numBytes <= end) {
      final int word = BytePacking.get(payload, position, numBytes);
      position += numBytes;
      if ((word & runFlag) == 0) {
        if (filled == numValues) {
          throw new MalformedChunkException("rle holds more than the " + numValues + " values expected");
        }
        out[filled++] = word;
      } else {
        final int run = word ^ runFlag;
        if (position + numBytes > end) {
          throw new MalformedChunkException("rle ends after a run length, before the value that is repeated");
        }
        if (run == 0) {
          throw new MalformedChunkException("rle has a run of no values");
        }
        if (run > numValues - filled) {
          throw new MalformedChunkException("rle holds more than the " + numValues + " values expected");
        }
        final int value = BytePacking.get(payload, position, numBytes);
        if ((value & runFlag) != 0) {
          throw new MalformedChunkException("rle has a run length where the value of a run is expected");
        }
        Arrays.fill(out, filled, filled + run, value);
        position += numBytes;
        filled += run;
      }
    }
    if (position != end || filled != numValues) {
      throw new MalformedChunkException(
          "rle holds " + filled + " values in " + length + " bytes, expected " + numValues + " values");
    }
    reader.releasePayload();
    reader.transformTo(decoded);
  }
}
