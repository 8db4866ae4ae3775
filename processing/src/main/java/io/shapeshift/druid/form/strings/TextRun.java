// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Neighbouring texts in one array, each followed by a byte that no text in UTF-8 has. So a search through the array
 * finds no part that lies in two texts. Not thread-safe.
 */
public final class TextRun {
  private static final byte END = (byte) 0xFF;

  private byte[] bytes = new byte[1 << 14];
  private int[] ends = new int[1 << 9];
  /** Id of each text. */
  private int[] ids = new int[1 << 9];
  private int count;
  private int nextId;

  /** Sets the id of the text that is added next; each other text has the id after the one before. */
  public void setNextId(int id) {
    nextId = id;
  }

  /** Passes over the ids of some texts that are not added. */
  void pass(int number) {
    nextId += number;
  }

  /** Returns the id of the text that is added next. */
  public int nextId() {
    return nextId;
  }

  /** Returns the id of a text. */
  public int id(int index) {
    return ids[index];
  }

  /** Removes all texts. */
  public void clear() {
    count = 0;
  }

  /** Returns the number of texts. */
  public int count() {
    return count;
  }

  /** Returns the bytes of all texts, with the byte behind each. */
  public int size() {
    return count == 0 ? 0 : ends[count - 1] + 1;
  }

  /** Returns the array of the texts. It is replaced when texts are added. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns where a text starts in the array. */
  public int start(int index) {
    return index == 0 ? 0 : ends[index - 1] + 1;
  }

  /** Returns where a text ends in the array, exclusive. */
  public int end(int index) {
    return ends[index];
  }

  /** Returns a text. */
  public String string(int index) {
    final int start = start(index);
    return new String(bytes, start, ends[index] - start, StandardCharsets.UTF_8);
  }

  /** Adds a text. */
  public void add(byte[] text, int length) {
    final int start = ensure(length);
    System.arraycopy(text, 0, bytes, start, length);
    end(start, start + length);
  }

  /**
   * Ensures room for a text behind the last one.
   *
   * @return where the text starts
   */
  int ensure(long room) {
    final int start = size();
    final long needed = start + room + 1;
    if (needed > bytes.length) {
      if (needed > TextBuffer.MAX_LENGTH) {
        throw new MalformedChunkException(
            "Some neighbouring texts have more than " + TextBuffer.MAX_LENGTH + " bytes");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(needed, 2L * bytes.length), TextBuffer.MAX_LENGTH));
    }
    return start;
  }

  /** Adds the text whose bytes are in the array already. */
  void end(int start, int end) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      ids = Arrays.copyOf(ids, 2 * count);
    }
    bytes[end] = END;
    ids[count] = nextId++;
    ends[count++] = end;
  }
}
