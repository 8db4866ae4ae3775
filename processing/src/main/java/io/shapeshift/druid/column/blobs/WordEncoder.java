// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.BitSet;
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
  private final WordTable table = new WordTable();
  /** Values whose words are stored themselves. */
  private final BitSet raw = new BitSet();
  private boolean hasTooMany;
  private double idBits;

  /**
   * Creates an encoder.
   *
   * @param wordBytes 4 or 8
   * @param minHead   see {@link WordBlobs}
   */
  WordEncoder(BlobSpill values, int wordBytes, int minHead) {
    this.values = values;
    this.wordBytes = wordBytes;
    this.minHead = minHead;
  }

  /** Reads the values, and returns an estimate of the bits of all words and of the dictionary. */
  double estimate() throws IOException {
    count();
    return choose();
  }

  private int headLength(int length) {
    return Words.headLength(length, wordBytes, minHead);
  }

  private void count() throws IOException {
    try (BlobSpill.Values each = values.values()) {
      while (each.next() && !hasTooMany) {
        for (int at = headLength(Math.max(0, each.length())); at < each.length(); at += wordBytes) {
          table.add(Words.get(each.bytes(), at, wordBytes));
        }
        hasTooMany = table.size() > CostModel.Blobs.MOST_WORDS;
      }
    }
  }

  private double choose() throws IOException {
    final double wordBits = Byte.SIZE * wordBytes;
    idBits = WordCode.idWidth(table.size());
    // An entry of the dictionary is smaller than its word by what the order of the entries tells.
    final double entryBits = Math.max(CostModel.Blobs.LEAST_ENTRY_BITS, wordBits - idBits + CostModel.Blobs.GROUP_BITS);
    double sum = 0;
    int value = 0;
    try (BlobSpill.Values each = values.values()) {
      for (; each.next(); value++) {
        final int length = Math.max(0, each.length());
        final int head = headLength(length);
        double bits = 0;
        for (int at = head; at < length && !hasTooMany; at += wordBytes) {
          bits += idBits + entryBits / table.count(table.slot(Words.get(each.bytes(), at, wordBytes)));
        }
        final double rawBits = Byte.SIZE * (double) (length - head);
        if (hasTooMany || bits >= rawBits) {
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
    return sum;
  }

  /** Encodes the values, after {@link #estimate}. */
  EncodedBlobs encode(String column, SegmentWriteOutMedium medium, OptimizationTarget target) throws IOException {
    final long[] words = table.sort();
    final WordDictionary.Encoded dictionary = WordDictionary.encode(words, medium);
    final WordCode code = new WordCode(wordBytes, words.length);
    final BlobSpill heads = new BlobSpill(medium);
    final ShapeShiftingColumnarIntsSerializer counts =
        Sections.openInts(column + " (numbers of words)", medium, target);
    final ShapeShiftingColumnarIntsSerializer modes = Sections.openInts(column + " (modes)", medium, target);
    final Positions.Writer positions = new Positions.Writer();
    final WriteOutBytes bytes = medium.makeWriteOutBytes();
    final BitOutput bits = new BitOutput(bytes);
    int[] ids = new int[256];
    int value = 0;
    try (BlobSpill.Values each = values.values()) {
      for (; each.next(); value++) {
        final int head = headLength(Math.max(0, each.length()));
        heads.add(each.bytes(), 0, each.length() == BlobSpill.NULL ? BlobSpill.NULL : head);
        final int count = Math.max(0, each.length() - head) / wordBytes;
        int mode = WordCode.PACKED;
        if (count > 0 && raw.get(value)) {
          mode = WordCode.RAW;
          for (int at = head; at < each.length(); at += wordBytes) {
            bits.put(Words.get(each.bytes(), at, wordBytes), Byte.SIZE * wordBytes);
          }
        } else if (count > 0) {
          if (ids.length < count) {
            ids = new int[Math.max(count, Math.min(2 * ids.length, 1 << 20))];
          }
          for (int i = 0; i < count; i++) {
            ids[i] = table.id(Words.get(each.bytes(), head + wordBytes * i, wordBytes));
          }
          mode = code.mode(ids, count);
          code.put(ids, count, mode, bits);
        }
        counts.addValue(count);
        modes.addValue(mode);
        positions.add(code.size(count, mode));
      }
    }
    bits.finish();
    heads.complete();
    final EncodedBlobs encodedHeads = new BlobChoice(column + " (heads)", medium, target).ofHeads(heads);
    return new Encoded(words.length, dictionary, encodedHeads, counts, modes, positions, bits, bytes);
  }

  /** Encoded section. */
  private final class Encoded extends EncodedBlobs {
    private final int numWords;
    private final WordDictionary.Encoded dictionary;
    private final EncodedBlobs heads;
    private final ShapeShiftingColumnarIntsSerializer counts;
    private final ShapeShiftingColumnarIntsSerializer modes;
    private final Positions.Writer positions;
    private final BitOutput bits;
    private final WriteOutBytes bytes;

    private Encoded(
        int numWords,
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
      return 2L + VByte.computeIntSize(numWords) + dictionary.size() + heads.size() + counts.getSerializedSize()
          + modes.getSerializedSize() + positions.sizeInBytes() + Long.BYTES + bytes.size() + Sections.SLACK;
    }

    @Override
    void writeContentTo(WritableByteChannel channel) throws IOException {
      final ByteBuffer first = ByteBuffer.allocate(2 + 5).put((byte) wordBytes).put((byte) minHead);
      VByte.writeInt(first, numWords);
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
