// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Bucket of neighbouring texts of a sorted dictionary, each without the prefix that it shares with the text before. It
 * is smaller than {@link FrontCodedBucket} where texts share more with their neighbours than with the head. Reading one
 * text reads all texts before it. Druid's front coding, version 1, has the same layout.
 *
 * <pre>
 * | bytes  | field, for each text                                                        |
 * |--------|-----------------------------------------------------------------------------|
 * | 1 to 5 | length of the prefix shared with the text before; absent for the first text |
 * | 1 to 5 | length of the suffix after the prefix                                       |
 * | length | the suffix                                                                  |
 * </pre>
 * Both numbers have seven bits in each byte, the lowest first; the eighth bit is set if another byte follows.
 */
final class ChainedBucket {
  private static final int MAX_SHIFT = 28;

  private ChainedBucket() {}

  static final class Writer implements BucketWriter {
    private byte[] bytes = new byte[1 << 10];
    private int size;

    @Override
    public int encode(byte[][] texts, int[] lengths, int count) {
      size = 0;
      for (int i = 0; i < count; i++) {
        final int prefix =
            i == 0 ? 0 : Utf8.commonPrefix(texts[i - 1], lengths[i - 1], texts[i], lengths[i]);
        final int length = lengths[i] - prefix;
        ensure(2L * (1 + Integer.BYTES) + length);
        if (i > 0) {
          put(prefix);
        }
        put(length);
        System.arraycopy(texts[i], prefix, bytes, size, length);
        size += length;
      }
      return size;
    }

    private void ensure(long room) {
      if (size + room > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.toIntExact(Math.max(size + room, Math.min(2L * bytes.length, 1 << 30))));
      }
    }

    private void put(int number) {
      size = Varint.put(number, bytes, size);
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }
  }

  static final class Reader implements BucketReader {
    private final TextBuffer text;
    private final RawBytes in;
    private int lastFrom = -1;
    /**
     * End of the bucket that was read last. Damaged buckets may share a start, so both the start and the end are
     * compared.
     */
    private int lastTo;
    private int lastIndex;
    private int length;
    private int at;

    Reader(ByteBuffer buffer) {
      this.text = new TextBuffer(buffer);
      this.in = text.in;
    }

    @Override
    public byte[] text() {
      return text.bytes();
    }

    @Override
    public int read(int from, int to, int count, int index) {
      int next = lastFrom == from && lastTo == to && index >= lastIndex ? lastIndex + 1 : 0;
      if (next == 0) {
        length = 0;
        at = from;
      }
      lastFrom = -1;
      for (; next <= index; next++) {
        final int prefix = next == 0 ? 0 : number(to);
        final int more = number(to);
        if (prefix > length || more > to - at) {
          throw new MalformedChunkException("Text " + next + " of a bucket has " + prefix + " bytes of one of " + length
              + ", and " + more + " of " + (to - at));
        }
        text.copy(at, prefix, more);
        at += more;
        length = prefix + more;
      }
      lastFrom = from;
      lastTo = to;
      lastIndex = index;
      return length;
    }

    private int number(int to) {
      int number = 0;
      for (int shift = 0; shift <= MAX_SHIFT; shift += Varint.BITS) {
        if (at >= to) {
          throw new MalformedChunkException("A bucket ends within a number");
        }
        final int next = in.getByte(at++);
        number |= (next & Varint.MASK) << shift;
        if (next <= Varint.MASK) {
          if (number < 0) {
            break;
          }
          return number;
        }
      }
      throw new MalformedChunkException("A number of a bucket has more than 31 bits");
    }
  }
}
