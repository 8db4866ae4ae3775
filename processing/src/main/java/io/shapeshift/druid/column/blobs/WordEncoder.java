// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Encoder of {@link WordBlobs}. It reads the values three times: to count words, to find the values whose words are
 * not worth an entry of the dictionary, and to encode. Not thread-safe.
 */
final class WordEncoder {
  private final BlobSpill values;
  private final int wordBytes;
  private final int minHead;
  private final OptimizationTarget target;
  private final WordTable table = new WordTable();
  /** Values whose words are stored themselves. */
  private final BitSet raw = new BitSet();
  private boolean hasTooMany;
  /** Number of each byte in words whose bytes are coded. */
  private final long[] byteCounts = new long[256];
  /** Number of each byte in the words of one value. */
  private final int[] bytesOfValue = new int[256];
  private long least = -1;
  private long greatest;

  /**
   * Creates an encoder.
   *
   * @param wordBytes 4 or 8
   * @param minHead   see {@link WordBlobs}
   */
  WordEncoder(BlobSpill values, int wordBytes, int minHead, OptimizationTarget target) {
    this.values = values;
    this.wordBytes = wordBytes;
    this.minHead = minHead;
    this.target = target;
  }

  /** Reads the values, and returns an estimate of the weight of all heads and words, and of the dictionary, in bits. */
  double estimate() throws IOException {
    return estimate(Long.MAX_VALUE);
  }

  /**
   * Returns the same of the first values, with {@code mostBytes} bytes. If these are not all values, {@linkplain
   * #another another} encoder has to encode them.
   */
  double estimate(long mostBytes) throws IOException {
    count(mostBytes);
    return choose(mostBytes);
  }

  /** Returns a new encoder of the same values, which cuts them alike. */
  WordEncoder another() {
    return new WordEncoder(values, wordBytes, minHead, target);
  }

  private int headLength(int length) {
    return Words.headLength(length, wordBytes, minHead);
  }

  private void count(long mostBytes) throws IOException {
    try (BlobSpill.Values each = values.values(mostBytes)) {
      while (each.next()) {
        for (int at = headLength(Math.max(0, each.length())); at < each.length(); at += wordBytes) {
          final long word = Words.get(each.bytes(), at, wordBytes);
          least = Long.compareUnsigned(word, least) < 0 ? word : least;
          greatest = Long.compareUnsigned(word, greatest) > 0 ? word : greatest;
          if (!hasTooMany) {
            table.add(word);
            hasTooMany = table.size() > CostModel.Blobs.MOST_WORDS;
          }
        }
      }
    }
  }

  /** Returns the number of words from the least to the greatest; 0 if it is no positive long, or there are no words. */
  private long range() {
    return Long.compareUnsigned(least, greatest) > 0 ? 0 : Math.max(0, greatest - least + 1);
  }

  private double choose(long mostBytes) throws IOException {
    final WordCode code = new WordCode(wordBytes, table.size(), range());
    // An entry of the dictionary is smaller than its word by what the order of the entries tells.
    final double entryBits = Math.max(
        CostModel.Blobs.LEAST_ENTRY_BITS,
        Byte.SIZE * wordBytes - WordCode.idWidth(table.size()) + CostModel.Blobs.GROUP_BITS
    );
    final DistinctValues heads = new DistinctValues();
    double sum = 0;
    int value = 0;
    try (BlobSpill.Values each = values.values(mostBytes)) {
      for (; each.next(); value++) {
        final int length = Math.max(0, each.length());
        final int head = headLength(length);
        heads.add(each.bytes(), 0, head);
        final int count = (length - head) / wordBytes;
        final int runs = runs(each, head);
        double entries = 0;
        for (int at = head; at < length && !hasTooMany; at += wordBytes) {
          entries += entryBits / table.count(table.slot(Words.get(each.bytes(), at, wordBytes)));
        }
        final double bits = hasTooMany ? Double.MAX_VALUE : entries + weight(code, count, modeOfIds(code, count, runs));
        final double rawBits = weight(code, count, modeOfWords(code, count, runs));
        final double codedBits = codedBits(each, head) + count * perWord(WordCode.CODED);
        if (codedBits < Math.min(bits, rawBits)) {
          raw.set(value);
          sum += codedBits;
          Arrays.setAll(byteCounts, i -> byteCounts[i] + bytesOfValue[i]);
        } else if (bits >= rawBits) {
          raw.set(value);
          sum += rawBits;
        } else {
          sum += bits;
          for (int at = head; at < length; at += wordBytes) {
            table.keep(table.slot(Words.get(each.bytes(), at, wordBytes)));
          }
        }
      }
    }
    return sum + Byte.SIZE * (double) heads.numBytes() + (double) value * WordCode.idWidth(heads.size());
  }

  /** Returns the mode of ids with the least weight. */
  private int modeOfIds(WordCode code, int count, int runs) {
    final int ascending = 2 * runs;
    return code.isValid(count, ascending) && weight(code, count, ascending) < weight(code, count, WordCode.PACKED)
           ? ascending
           : WordCode.PACKED;
  }

  /** Returns the mode of words with the least weight. */
  private int modeOfWords(WordCode code, int count, int runs) {
    final int ascending = 2 * runs + 1;
    return code.isValid(count, ascending) && weight(code, count, ascending) < weight(code, count, WordCode.RAW)
           ? ascending
           : WordCode.RAW;
  }

  /** Returns the weight of words in a mode, in bits. */
  private double weight(WordCode code, int count, int mode) {
    return code.size(count, mode) + count * perWord(mode);
  }

  /** Returns the weight of the time to read a word in a mode, in bits. */
  private double perWord(int mode) {
    if (mode >= WordCode.CODED) {
      return (double) Byte.SIZE * wordBytes * CostModel.Blobs.CODED_COST.under(target).perNumber();
    }
    return Byte.SIZE * ((WordCode.hasIds(mode) ? CostModel.Blobs.LOOK_UP_COST.under(target).perNumber() : 0)
        + (mode > WordCode.PACKED ? CostModel.Blobs.ASCENDING_COST.under(target).perNumber() : 0));
  }

  /**
   * Counts the bytes of a value's words.
   *
   * @return bits of the coded bytes, by their entropy; more than all others if they are not worth a code
   */
  private double codedBits(BlobSpill.Values value, int head) {
    final int count = value.length() - head;
    if (count < CostModel.Blobs.LEAST_CODED) {
      return Double.MAX_VALUE;
    }
    Arrays.fill(bytesOfValue, 0);
    for (int at = head; at < value.length(); at++) {
      bytesOfValue[value.bytes()[at] & 0xFF]++;
    }
    double bits = 0;
    for (int each : bytesOfValue) {
      bits += each == 0 ? 0 : each * Math.log((double) count / each) / Math.log(2);
    }
    return bits > CostModel.Blobs.MOST_CODED_BITS * count ? Double.MAX_VALUE : bits;
  }

  /** Returns the number of runs in which the words of a value ascend, at least 1. */
  private int runs(BlobSpill.Values value, int head) {
    int runs = 1;
    for (int at = head + wordBytes; at < value.length(); at += wordBytes) {
      final long before = Words.get(value.bytes(), at - wordBytes, wordBytes);
      runs += Long.compareUnsigned(Words.get(value.bytes(), at, wordBytes), before) < 0 ? 1 : 0;
    }
    return runs;
  }

  /** Encodes the values, after {@link #estimate}. */
  EncodedBlobs encode(String column, SegmentWriteOutMedium medium) throws IOException {
    final long[] words = table.sort();
    final WordDictionary.Encoded dictionary = WordDictionary.encode(words, medium);
    final WordCode code = new WordCode(wordBytes, words.length, range());
    final BlobSpill heads = new BlobSpill(medium);
    final ShapeShiftingColumnarIntsSerializer counts =
        Sections.openInts(column + " (numbers of words)", medium, target);
    final ShapeShiftingColumnarIntsSerializer modes = Sections.openInts(column + " (modes)", medium, target);
    final Positions.Writer positions = new Positions.Writer();
    final WriteOutBytes bytes = medium.makeWriteOutBytes();
    final BitOutput bits = new BitOutput(bytes);
    @Nullable final ByteCode byteCode = Arrays.stream(byteCounts).sum() > 0 ? ByteCode.of(byteCounts) : null;
    long[] numbers = new long[256];
    int value = 0;
    try (BlobSpill.Values each = values.values()) {
      for (; each.next(); value++) {
        final int head = headLength(Math.max(0, each.length()));
        heads.add(each.bytes(), 0, each.length() == BlobSpill.NULL ? BlobSpill.NULL : head);
        final int count = Math.max(0, each.length() - head) / wordBytes;
        int mode = WordCode.PACKED;
        if (count > 0) {
          if (numbers.length < count) {
            numbers = new long[Math.max(count, Math.min(2 * numbers.length, 1 << 20))];
          }
          final int runs = runs(each, head);
          mode = raw.get(value) ? modeOfWords(code, count, runs) : modeOfIds(code, count, runs);
          final long codedBits =
              byteCode == null ? Long.MAX_VALUE : byteCode.size(each.bytes(), head, each.length());
          if (codedBits < WordCode.CODED
              && codedBits + count * perWord(WordCode.CODED) < weight(code, count, mode)) {
            mode = WordCode.CODED + (int) codedBits;
            byteCode.put(each.bytes(), head, each.length(), bits);
          }
          for (int i = 0; i < count && mode < WordCode.CODED; i++) {
            final long word = Words.get(each.bytes(), head + wordBytes * i, wordBytes);
            numbers[i] = WordCode.hasIds(mode) ? table.id(word) : word - least;
          }
          if (mode < WordCode.CODED) {
            code.put(numbers, count, mode, bits);
          }
        }
        counts.addValue(count);
        modes.addValue(mode);
        positions.add(code.size(count, mode));
      }
    }
    bits.finish();
    heads.complete();
    table.release();
    final EncodedBlobs encodedHeads = new BlobChoice(column + " (heads)", medium, target).ofHeads(heads);
    return new Encoded(words.length, byteCode, dictionary, encodedHeads, counts, modes, positions, bits, bytes);
  }

  /** Encoded section. */
  private final class Encoded extends EncodedBlobs {
    private final int numWords;
    @Nullable
    private final ByteCode byteCode;
    private final WordDictionary.Encoded dictionary;
    private final EncodedBlobs heads;
    private final ShapeShiftingColumnarIntsSerializer counts;
    private final ShapeShiftingColumnarIntsSerializer modes;
    private final Positions.Writer positions;
    private final BitOutput bits;
    private final WriteOutBytes bytes;

    private Encoded(
        int numWords,
        @Nullable ByteCode byteCode,
        WordDictionary.Encoded dictionary,
        EncodedBlobs heads,
        ShapeShiftingColumnarIntsSerializer counts,
        ShapeShiftingColumnarIntsSerializer modes,
        Positions.Writer positions,
        BitOutput bits,
        WriteOutBytes bytes
    ) {
      super(BlobForm.WORDS, values.size(), values.longest());
      this.numWords = numWords;
      this.byteCode = byteCode;
      this.dictionary = dictionary;
      this.heads = heads;
      this.counts = counts;
      this.modes = modes;
      this.positions = positions;
      this.bits = bits;
      this.bytes = bytes;
    }

    @Override
    long contentSize() throws IOException {
      return 2L + VByte.computeIntSize(numWords) + 2 * Long.BYTES + 1 + (byteCode == null ? 0 : ByteCode.SIZE)
          + dictionary.size() + heads.size() + counts.getSerializedSize()
          + modes.getSerializedSize() + positions.sizeInBytes() + Long.BYTES + bytes.size() + Sections.SLACK;
    }

    @Override
    void writeContentTo(WritableByteChannel channel) throws IOException {
      final ByteBuffer first =
          ByteBuffer.allocate(2 + 5 + 2 * Long.BYTES + 1 + ByteCode.SIZE).order(ByteOrder.LITTLE_ENDIAN);
      first.put((byte) wordBytes).put((byte) minHead);
      VByte.writeInt(first, numWords);
      first.putLong(least).putLong(range()).put((byte) (byteCode == null ? 0 : 1));
      if (byteCode != null) {
        byteCode.write(first);
      }
      Channels.writeFully(channel, first.flip());
      Channels.writeFully(channel, dictionary.entries().duplicate());
      dictionary.data().writeTo(channel);
      heads.writeTo(channel);
      counts.writePartTo(channel);
      modes.writePartTo(channel);
      Channels.writeFully(channel, positions.toBytes());
      final ByteBuffer last = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(bits.size());
      Channels.writeFully(channel, last.flip());
      bytes.writeTo(channel);
      Channels.writeFully(channel, Sections.slack());
    }
  }
}
