// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import com.google.common.base.Utf8;
import io.shapeshift.druid.bits.Varint;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Distinct structures of a column, with the number of rows of each, on the heap. Bounds on their number and bytes keep
 * the heap small, of writers as of readers.
 */
final class StructureSet {
  /** Number that stands for a structure that was not admitted. */
  static final int NONE = -1;
  /** Bytes of the number of a structure's rows, which may grow to five. */
  private static final int BYTES_OF_ROWS = 2;
  /** Most bytes of the table that are not counted. */
  static final int UNCOUNTED_BYTES = (Structures.MAX_STRUCTURES + 1) * (5 - BYTES_OF_ROWS);

  /**
   * Bounds.
   *
   * @param structures most structures
   * @param bytes      most bytes of all structures and their keys, before compression
   */
  record Bounds(int structures, long bytes) {}

  private final Bounds bounds;
  /** Tokens of all structures, one after another, and the start of each, with the end of the last. */
  private final IntArrayList tokens = new IntArrayList();
  private final IntArrayList starts = IntArrayList.of(0);
  private final IntArrayList hashes = new IntArrayList();
  private final IntArrayList rows = new IntArrayList();
  /** Open-addressing table of structures; {@link #NONE} where there is none. */
  private int[] slots = new int[1 << 6];
  private final BitSet keys = new BitSet();
  /** Bytes of the structures and of their keys, in a segment. */
  private long bytes;

  StructureSet(Bounds bounds) {
    this.bounds = bounds;
    Arrays.fill(slots, NONE);
  }

  /** Returns the number of structures. */
  int size() {
    return rows.size();
  }

  /** Returns the bytes of all structures and of their keys, before compression. */
  long numBytes() {
    return bytes;
  }

  /**
   * Counts a row of the walker's structure, and returns the number of the structure, by order of appearance, or
   * {@link #NONE} if it is new and not admitted.
   */
  int add(ObjectWalker walker) {
    final int[] added = walker.tokens();
    final int length = walker.numTokens();
    final int hash = hash(added, length);
    int slot = hash & slots.length - 1;
    for (; slots[slot] != NONE; slot = slot + 1 & slots.length - 1) {
      final int known = slots[slot];
      if (hashes.getInt(known) == hash && isEqual(known, added, length)) {
        rows.set(known, rows.getInt(known) + 1);
        return known;
      }
    }
    if (!isAdmitted(walker)) {
      return NONE;
    }
    final int structure = size();
    slots[slot] = structure;
    tokens.addElements(tokens.size(), added, 0, length);
    starts.add(tokens.size());
    hashes.add(hash);
    rows.add(1);
    if (2 * size() > slots.length) {
      rehash();
    }
    return structure;
  }

  private static int hash(int[] tokens, int length) {
    int hash = length;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + tokens[i];
    }
    return HashCommon.mix(hash);
  }

  private boolean isEqual(int structure, int[] others, int length) {
    final int start = starts.getInt(structure);
    return Arrays.equals(tokens.elements(), start, starts.getInt(structure + 1), others, 0, length);
  }

  private void rehash() {
    slots = new int[2 * slots.length];
    Arrays.fill(slots, NONE);
    for (int structure = 0; structure < size(); structure++) {
      int slot = hashes.getInt(structure) & slots.length - 1;
      while (slots[slot] != NONE) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = structure;
    }
  }

  /** Returns whether a new structure is within the bounds; then counts its bytes. */
  private boolean isAdmitted(ObjectWalker walker) {
    if (size() == bounds.structures) {
      return false;
    }
    final BitSet added = new BitSet();
    long all = bytes + BYTES_OF_ROWS;
    for (int i = 0; i < walker.numTokens(); i++) {
      final int token = walker.tokens()[i];
      all += Tokens.size(token);
      if (Tokens.kind(token) == Tokens.KEY) {
        final int key = Tokens.argument(token);
        if (!keys.get(key) && !added.get(key)) {
          added.set(key);
          final int length = Utf8.encodedLength(walker.keys().get(key));
          all += Tokens.size(length) + length;
        }
      }
      if (all > bounds.bytes) {
        return false;
      }
    }
    keys.or(added);
    bytes = all;
    return true;
  }

  /** Returns all structures, ordered by their rows, the most frequent first, then by appearance. */
  int[] byRows() {
    final int[] order = new int[size()];
    Arrays.setAll(order, structure -> structure);
    IntArrays.stableSort(order, (one, other) -> Integer.compare(rows.getInt(other), rows.getInt(one)));
    return order;
  }

  /**
   * Returns the table of structures.
   *
   * @param order structures in their order
   * @param names keys by their number
   * @see StructureTable the format
   */
  byte[] toTable(int[] order, List<String> names) {
    final int[] numbers = new int[names.size()];
    int numKeys = 0;
    final Output keyBytes = new Output();
    final Output structureBytes = new Output();
    for (int structure : order) {
      structureBytes.put(rows.getInt(structure));
      for (int at = starts.getInt(structure); at < starts.getInt(structure + 1); at++) {
        int token = tokens.getInt(at);
        if (Tokens.kind(token) == Tokens.KEY) {
          final int key = Tokens.argument(token);
          if (numbers[key] == 0) {
            keyBytes.put(names.get(key));
            numbers[key] = ++numKeys;
          }
          token = Tokens.token(Tokens.KEY, numbers[key] - 1);
        }
        structureBytes.put(token);
      }
    }
    final Output all = new Output();
    all.put(numKeys);
    all.writeBytes(keyBytes.toByteArray());
    all.writeBytes(structureBytes.toByteArray());
    return all.toByteArray();
  }

  private static final class Output extends ByteArrayOutputStream {
    private void put(int number) {
      int left = number;
      while (left > Varint.MASK) {
        write(left | 1 << Varint.BITS);
        left >>>= Varint.BITS;
      }
      write(left);
    }

    private void put(String key) {
      final byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
      put(utf8.length);
      writeBytes(utf8);
    }
  }
}
