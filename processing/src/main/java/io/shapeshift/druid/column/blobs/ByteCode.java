// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Huffman code of bytes. It is canonical: codes ascend by length, and then by byte. The bits of a code are written from
 * its highest on.
 *
 * <pre>
 * | bytes | field                                                                             |
 * |-------|-----------------------------------------------------------------------------------|
 * | 128   | length of each byte's code, 0 to {@value #MAX_LENGTH}, of even bytes in the low 4 bits |
 * </pre>
 */
final class ByteCode {
  /** Size of a stored code in bytes. */
  static final int SIZE = 128;
  /** Greatest length of a code in bits. */
  static final int MAX_LENGTH = 12;

  private static final int BYTES = 256;
  /** Look-ups in 64 bits, of which the first seven may be used already. */
  private static final int LOOK_UPS_PER_READ = 4;
  private static final int MOST_BYTES = 3;
  private static final int LENGTH_BIT = MOST_BYTES * Byte.SIZE;
  private static final int NUMBER_BIT = LENGTH_BIT + 4;

  private final byte[] lengths;
  /** Code of each byte, its highest bit in the lowest. */
  private final int[] codes = new int[BYTES];
  /**
   * For the next {@link #MAX_LENGTH} bits: one to {@value #MOST_BYTES} bytes whose codes they have, the length of these
   * codes from bit {@value #LENGTH_BIT} on, and the number of bytes from bit {@value #NUMBER_BIT} on.
   */
  private final int[] table = new int[1 << MAX_LENGTH];

  private ByteCode(byte[] lengths) {
    this.lengths = lengths;
    int code = 0;
    int used = 0;
    for (int length = 1; length <= MAX_LENGTH; length++, code <<= 1) {
      for (int symbol = 0; symbol < BYTES; symbol++) {
        if (lengths[symbol] == length) {
          used += 1 << (MAX_LENGTH - length);
          if (used > table.length) {
            throw new MalformedChunkException("the codes of bytes are too short");
          }
          codes[symbol] = Integer.reverse(code++) >>> (Integer.SIZE - length);
          for (int bits = codes[symbol]; bits < table.length; bits += 1 << length) {
            table[bits] = symbol;
          }
        }
      }
    }
    if (used < table.length) {
      throw new MalformedChunkException("the codes of bytes are too long");
    }
    for (int bits = table.length - 1; bits >= 0; bits--) {
      // Shorter bits have an entry already, so the entry's first byte is that of the code.
      table[bits] = entry(bits);
    }
  }

  /** Returns the entry of bits, of which the first bytes of all entries are in the table. */
  private int entry(int bits) {
    int entry = 0;
    int end = 0;
    int number = 0;
    for (; number < MOST_BYTES; number++) {
      final int symbol = table[bits >>> end] & 0xFF;
      if (end + lengths[symbol] > MAX_LENGTH) {
        break;
      }
      entry |= symbol << (Byte.SIZE * number);
      end += lengths[symbol];
    }
    return entry | end << LENGTH_BIT | number << NUMBER_BIT;
  }

  /** Returns the best code for bytes that occur so often; some must occur. */
  static ByteCode of(long[] counts) {
    final long[] scaled = counts.clone();
    if (Arrays.stream(scaled).filter(count -> count > 0).count() < 2) {
      // A code needs two bytes.
      scaled[0] = Math.max(1, scaled[0]);
      scaled[1] = Math.max(1, scaled[1]);
    }
    byte[] lengths = lengths(scaled);
    while (maximum(lengths) > MAX_LENGTH) {
      Arrays.setAll(scaled, i -> scaled[i] == 0 ? 0 : Math.max(1, scaled[i] >>> 2));
      lengths = lengths(scaled);
    }
    return new ByteCode(lengths);
  }

  private static int maximum(byte[] lengths) {
    int most = 0;
    for (byte length : lengths) {
      most = Math.max(most, length);
    }
    return most;
  }

  /** Node of a Huffman tree; its number makes the tree the same for the same counts. */
  private record Node(long count, int number, int left, int right) {}

  private static byte[] lengths(long[] counts) {
    final Node[] nodes = new Node[2 * BYTES];
    final PriorityQueue<Node> queue =
        new PriorityQueue<>(Comparator.comparingLong(Node::count).thenComparingInt(Node::number));
    for (int i = 0; i < BYTES; i++) {
      if (counts[i] > 0) {
        nodes[i] = new Node(counts[i], i, -1, -1);
        queue.add(nodes[i]);
      }
    }
    int next = BYTES;
    while (queue.size() > 1) {
      final Node one = queue.remove();
      final Node other = queue.remove();
      nodes[next] = new Node(one.count + other.count, /* number= */ next, /* left= */ one.number, other.number);
      queue.add(nodes[next]);
      next++;
    }
    final byte[] depths = new byte[2 * BYTES];
    for (int i = next - 1; i >= BYTES; i--) {
      depths[nodes[i].left] = (byte) (depths[i] + 1);
      depths[nodes[i].right] = (byte) (depths[i] + 1);
    }
    return Arrays.copyOf(depths, BYTES);
  }

  /** Reads a code, and advances the buffer past it. */
  static ByteCode read(ByteBuffer in) {
    final byte[] lengths = new byte[BYTES];
    for (int i = 0; i < BYTES; i += 2) {
      final int both = in.get();
      lengths[i] = (byte) (both & 0xF);
      lengths[i + 1] = (byte) (both >>> 4 & 0xF);
    }
    if (maximum(lengths) > MAX_LENGTH) {
      throw new MalformedChunkException("a code of a byte has " + maximum(lengths) + " bits");
    }
    return new ByteCode(lengths);
  }

  void write(ByteBuffer out) {
    for (int i = 0; i < BYTES; i += 2) {
      out.put((byte) (lengths[i] | lengths[i + 1] << 4));
    }
  }

  /** Returns the number of bits of bytes; {@link Long#MAX_VALUE} if a byte has no code. */
  long size(byte[] bytes, int from, int to) {
    long bits = 0;
    for (int i = from; i < to; i++) {
      final int length = lengths[bytes[i] & 0xFF];
      if (length == 0) {
        return Long.MAX_VALUE;
      }
      bits += length;
    }
    return bits;
  }

  /** Appends bytes. */
  void put(byte[] bytes, int from, int to, BitOutput out) throws IOException {
    for (int i = from; i < to; i++) {
      out.put(codes[bytes[i] & 0xFF], lengths[bytes[i] & 0xFF]);
    }
  }

  private static void checkBit(long bit, long end, int count) {
    if (bit > end) {
      throw new MalformedChunkException("the codes of " + count + " bytes end behind their bits");
    }
  }

  /**
   * Reads bytes.
   *
   * @param end end of their bits
   */
  void get(RawBytes in, int offset, long start, long end, byte[] out, int at, int count) {
    long bit = start;
    int done = 0;
    while (done <= count - MOST_BYTES * LOOK_UPS_PER_READ - 1) {
      checkBit(bit, end, count);
      long bits = in.getLong(offset + (int) (bit >>> 3)) >>> (bit & 7);
      for (int i = 0; i < LOOK_UPS_PER_READ; i++) {
        final int found = table[(int) bits & table.length - 1];
        // One byte too many, which is overwritten.
        Words.put4(out, at + done, found);
        final int length = found >>> LENGTH_BIT & 0xF;
        bits >>>= length;
        bit += length;
        done += found >>> NUMBER_BIT;
      }
    }
    for (; done < count; done++) {
      checkBit(bit, end, count);
      final long bits = in.getLong(offset + (int) (bit >>> 3)) >>> (bit & 7);
      out[at + done] = (byte) table[(int) bits & table.length - 1];
      bit += lengths[out[at + done] & 0xFF];
    }
    if (bit != end) {
      throw new MalformedChunkException("the codes of " + count + " bytes end at bit " + bit + ", expected " + end);
    }
  }
}
