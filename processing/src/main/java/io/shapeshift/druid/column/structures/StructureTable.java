// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Checked structures of a column, on the heap. Immutable. The table in a segment, in which each number is a
 * {@link Varint}:
 *
 * <pre>
 * | field                                                                              |
 * |------------------------------------------------------------------------------------|
 * | number of keys                                                                     |
 * | for each key the number of its bytes, and the bytes, UTF-8; all keys are different |
 * | for each structure the number of its rows, which do not ascend, and its tokens     |
 * </pre>
 *
 * @see Tokens
 */
final class StructureTable {
  final String[] keys;
  /** Tokens of all structures, one after another. */
  final int[] tokens;
  /** First token of each structure, and the end of the last. */
  final int[] starts;
  /** Number of rows of each structure. */
  final int[] rows;
  /** First element of each field in {@link #structuresByField}, and the end of the last. */
  private final int[] fieldStarts;
  /** Structures that have a field, ascending, for each field. */
  private final int[] structuresByField;

  private StructureTable(Parser parsed) {
    this.keys = parsed.keys;
    this.tokens = Arrays.copyOf(parsed.tokens, parsed.numTokens);
    this.starts = parsed.starts;
    this.rows = parsed.rows;
    this.fieldStarts = parsed.fieldCounts;
    this.structuresByField = invert();
  }

  /**
   * Reads and checks a table.
   *
   * @param numRows   number of rows that have a structure
   * @param numFields number of fields of the column
   * @throws MalformedChunkException if it is damaged
   */
  static StructureTable read(byte[] bytes, int numStructures, int numRows, int numFields) {
    return new StructureTable(new Parser(bytes, numStructures, numRows, numFields));
  }

  /** Returns the number of structures that have a field. */
  int numStructuresWith(int field) {
    return fieldStarts[field + 1] - fieldStarts[field];
  }

  /**
   * Returns a structure that has a field.
   *
   * @param index less than {@link #numStructuresWith}; structures ascend
   */
  int structureWith(int field, int index) {
    return structuresByField[fieldStarts[field] + index];
  }

  /** Returns a structure for people, as JSON with kinds in the place of values. */
  String describe(int structure) {
    final StringBuilder out = new StringBuilder();
    describe(starts[structure], out);
    return out.toString();
  }

  /** Describes the value that starts with a token, and returns the token after it. */
  private int describe(int start, StringBuilder out) {
    final int kind = Tokens.kind(tokens[start]);
    if (kind != Tokens.OBJECT && kind != Tokens.ARRAY) {
      out.append(Tokens.nameOf(kind));
      return start + 1;
    }
    out.append(kind == Tokens.OBJECT ? '{' : '[');
    int at = start + 1;
    for (int i = 0; i < Tokens.argument(tokens[start]); i++) {
      out.append(i == 0 ? "" : ", ");
      if (kind == Tokens.OBJECT) {
        out.append('"').append(keys[Tokens.argument(tokens[at++])]).append("\": ");
      }
      at = describe(at, out);
    }
    out.append(kind == Tokens.OBJECT ? '}' : ']');
    return at;
  }

  /** Lists the structures of each field, by counting sort. */
  private int[] invert() {
    int sum = 0;
    for (int field = 0; field < fieldStarts.length; field++) {
      final int count = fieldStarts[field];
      fieldStarts[field] = sum;
      sum += count;
    }
    final int[] ends = fieldStarts.clone();
    final int[] structures = new int[sum];
    for (int structure = 0; structure < rows.length; structure++) {
      for (int i = starts[structure]; i < starts[structure + 1]; i++) {
        if (Tokens.hasField(Tokens.kind(tokens[i]))) {
          structures[ends[Tokens.argument(tokens[i])]++] = structure;
        }
      }
    }
    return structures;
  }

  /** Reader of a table, which checks everything that it reads. */
  private static final class Parser {
    private final byte[] bytes;
    private int at;
    private final String[] keys;
    private final int[] tokens;
    private int numTokens;
    private final int[] starts;
    private final int[] rows;
    /** Number of tokens of each field; the last element stays 0. */
    private final int[] fieldCounts;

    private Parser(byte[] bytes, int numStructures, int numRows, int numFields) {
      this.bytes = bytes;
      this.keys = new String[number("number of keys", bytes.length)];
      readKeys();
      if (numStructures > (bytes.length - at) / 2) {
        throw new MalformedChunkException(
            numStructures + " structures do not fit into " + (bytes.length - at) + " bytes");
      }
      this.tokens = new int[bytes.length - at];
      this.starts = new int[numStructures + 1];
      this.rows = new int[numStructures];
      this.fieldCounts = new int[numFields + 1];
      readStructures(numRows);
      if (at != bytes.length) {
        throw new MalformedChunkException("the last structure ends at offset " + at + ", the table at " + bytes.length);
      }
    }

    private void readStructures(int numRows) {
      long all = 0;
      int most = numRows;
      for (int structure = 0; structure < rows.length; structure++) {
        most = number("number of rows", most);
        rows[structure] = most;
        all += most;
        readValue(0);
        starts[structure + 1] = numTokens;
      }
      if (all != numRows) {
        throw new MalformedChunkException("structures have " + all + " rows, expected " + numRows);
      }
    }

    private int number(String what, int most) {
      final int start = at;
      long found = 0;
      for (int shift = 0; ; shift += Varint.BITS) {
        if (at == bytes.length || shift > 4 * Varint.BITS) {
          throw new MalformedChunkException(what + " at offset " + start + " does not end");
        }
        final int next = bytes[at++];
        found |= (long) (next & Varint.MASK) << shift;
        if (next >= 0) {
          break;
        }
      }
      if (found > most) {
        throw new MalformedChunkException(
            what + " at offset " + start + " is " + found + ", expected at most " + most);
      }
      return (int) found;
    }

    private void readKeys() {
      final Set<String> known = new HashSet<>();
      for (int key = 0; key < keys.length; key++) {
        final int start = at;
        final int length = number("length of a key", bytes.length);
        if (length > bytes.length - at) {
          throw new MalformedChunkException(
              "key " + key + " at offset " + start + " has " + length + " bytes, of " + (bytes.length - at));
        }
        try {
          keys[key] =
              StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length)).toString().intern();
        } catch (CharacterCodingException e) {
          throw new MalformedChunkException("key " + key + " at offset " + start + " is not UTF-8", e);
        }
        at += length;
        if (!known.add(keys[key])) {
          throw new MalformedChunkException("key " + key + " at offset " + start + " repeats another");
        }
      }
    }

    private int readToken() {
      final int token = number("token", Integer.MAX_VALUE);
      tokens[numTokens++] = token;
      return token;
    }

    private void readValue(int depth) {
      final int start = at;
      final int token = readToken();
      final int kind = Tokens.kind(token);
      final int argument = Tokens.argument(token);
      switch (kind) {
        case Tokens.NULL -> check("null", start, argument, 1);
        case Tokens.OBJECT -> {
          checkParts(start, depth, argument, 2);
          for (int i = 0; i < argument; i++) {
            readKey();
            readValue(depth + 1);
          }
        }
        case Tokens.ARRAY -> {
          checkParts(start, depth, argument, 1);
          for (int i = 0; i < argument; i++) {
            readValue(depth + 1);
          }
        }
        default -> {
          if (!Tokens.hasField(kind) || kind >= Tokens.KINDS) {
            throw MalformedChunkException.newer("the token at offset " + start + " has kind " + kind);
          }
          check("field", start, argument, fieldCounts.length - 1);
          fieldCounts[argument]++;
        }
      }
    }

    private void readKey() {
      final int start = at;
      final int token = readToken();
      if (Tokens.kind(token) != Tokens.KEY) {
        throw new MalformedChunkException(
            "the token at offset " + start + " has kind " + Tokens.kind(token) + ", expected a key");
      }
      check("key", start, Tokens.argument(token), keys.length);
    }

    private static void check(String what, int start, int argument, int end) {
      if (argument >= end) {
        throw new MalformedChunkException(
            what + " at offset " + start + " is " + argument + ", expected less than " + end);
      }
    }

    private void checkParts(int start, int depth, int parts, int bytesPerPart) {
      if (depth >= Tokens.MAX_DEPTH) {
        throw new MalformedChunkException("the value at offset " + start + " is in more than " + Tokens.MAX_DEPTH
            + " objects and arrays");
      }
      if (parts > (bytes.length - at) / bytesPerPart) {
        throw new MalformedChunkException("the value at offset " + start + " has " + parts + " parts in "
            + (bytes.length - at) + " bytes");
      }
    }
  }
}
