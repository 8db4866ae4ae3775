// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.postings.PostingChunkReader;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/** Reader of a column's posting lists. Not thread-safe. */
public final class PostingListsReader {
  private final PostingLists lists;
  private final ByteBuffer buffer;
  private final PostingChunkReader reader;
  /** Chunk read last; neighbouring lists often share it. */
  private int chunk = -1;
  private int firstList;
  private int endList;

  PostingListsReader(PostingLists lists, ByteBuffer buffer) {
    this.lists = lists;
    this.buffer = buffer;
    this.reader = new PostingChunkReader(lists.numRows());
  }

  /**
   * Adds the rows of some lists.
   *
   * @param from first list
   * @param to   end of the lists, exclusive; at most {@link PostingLists#size}
   * @throws ColumnFormatException if the lists are damaged
   */
  public void read(int from, int to, RowSet out) {
    for (int list = from; list < to; ) {
      load(list);
      final int end = Math.min(to, endList);
      try {
        reader.read(list - firstList, end - firstList, out);
      } catch (RuntimeException e) {
        throw damaged(e);
      }
      list = end;
    }
  }

  /**
   * Returns a list as a bitmap over the segment's bytes, which needs no decoding; null in other forms.
   *
   * @throws ColumnFormatException if the lists are damaged
   */
  @Nullable
  public ImmutableRoaringBitmap bitmap(int list) {
    load(list);
    return reader.bitmap();
  }

  /**
   * Returns the approximate size in bytes of a range of lists. A chunk with lists outside the range counts in
   * proportion to the lists inside.
   */
  public long bytes(int from, int to) {
    if (from >= to) {
      return 0;
    }
    final int first = lists.chunkOf(from);
    final int last = lists.chunkOf(to - 1);
    return (long) lists.offset(last + 1) - lists.offset(first)
        - bytesOf(first, from - lists.firstList(first))
        - bytesOf(last, lists.firstList(last + 1) - to);
  }

  /** Returns the size in bytes of {@code numLists} lists of a chunk, if all its lists had the same size. */
  private long bytesOf(int chunk, int numLists) {
    final int all = lists.firstList(chunk + 1) - lists.firstList(chunk);
    return all <= 0 ? 0 : ((long) lists.offset(chunk + 1) - lists.offset(chunk)) * numLists / all;
  }

  private void load(int list) {
    if (list >= firstList && list < endList) {
      return;
    }
    endList = firstList;
    final int found = chunk >= 0 && list == endOf(chunk) ? chunk + 1 : lists.chunkOf(list);
    final int first = lists.firstList(found);
    final int end = lists.firstList(found + 1);
    final int start = lists.offset(found);
    final int length = lists.checkChunk(found, start, lists.offset(found + 1));
    if (list < first || list >= end) {
      throw ColumnFormatException.damaged(lists.column(), "chunk " + found + " of its index has the lists " + first
          + " to " + end + ", and should have " + list);
    }
    final PostingForm form = lists.form(buffer.clear().get(lists.chunksOffset() + start), start);
    try {
      reader.startChunk(end - first);
      form.transform(buffer, lists.chunksOffset() + start, length, reader);
    } catch (RuntimeException e) {
      chunk = found;
      throw damaged(e);
    }
    chunk = found;
    firstList = first;
    endList = end;
  }

  private int endOf(int chunk) {
    return lists.firstList(chunk + 1);
  }

  private ColumnFormatException damaged(RuntimeException e) {
    final PostingLists.ChunkOfLists at = lists.describe(chunk);
    final String found = "chunk " + chunk + " at offset " + at.offset() + " of its index (" + at.form() + ")"
        + (e instanceof MalformedChunkException ? ": " + e.getMessage() : " cannot be read: " + e);
    return e instanceof MalformedChunkException malformed && malformed.isNewer()
           ? ColumnFormatException.newer(lists.column(), found, e)
           : ColumnFormatException.damaged(lists.column(), found, e);
  }
}
