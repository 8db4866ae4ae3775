// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.api.PostingEncoding;
import io.shapeshift.druid.api.PostingReader;
import io.shapeshift.druid.api.PostingValues;
import io.shapeshift.druid.api.RowSink;
import io.shapeshift.druid.api.SizeEstimate;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Encoding of posting lists of another jar as a form.
 *
 * <pre>
 * | bytes | content                                                 |
 * |-------|---------------------------------------------------------|
 * | 1     | id, 64 to 127, to which the index's header gives a name |
 * | rest  | as the encoding of this name has it, little-endian      |
 * </pre>
 */
public final class AddedPostingForm implements PostingForm, AddedForm {
  private final byte id;
  private final PostingEncoding encoding;
  private final String name;
  private final DecodeCost cost;

  /** Creates the form of an encoding. */
  public AddedPostingForm(byte id, PostingEncoding encoding) {
    this.id = id;
    this.encoding = encoding;
    this.name = encoding.name();
    this.cost = AddedForm.cost(encoding);
  }

  /** View of a chunk's lists. */
  private record Lists(PostingChunk chunk) implements PostingValues {
    @Override
    public int numLists() {
      return chunk.size();
    }

    @Override
    public int numRows() {
      return chunk.numRows();
    }

    @Override
    public int numPostings() {
      return chunk.numPostings();
    }

    @Override
    public int size(int list) {
      return chunk.end(list) - chunk.start(list);
    }

    @Override
    public int row(int list, int index) {
      return chunk.rows()[chunk.start(list) + index];
    }

    @Override
    public int numRuns() {
      return chunk.numRuns();
    }
  }

  /** Passes rows on to a set, in blocks. */
  private static final class Rows implements RowSink {
    private final RowSet out;
    private final int[] block = new int[RowSet.BLOCK];
    private int count;

    Rows(RowSet out) {
      this.out = out;
    }

    @Override
    public void row(int row) {
      if (count == block.length) {
        flush();
      }
      block[count++] = row;
    }

    @Override
    public void run(int from, int to) {
      flush();
      out.addRun(from, to);
    }

    void flush() {
      if (count > 0) {
        int outside = RowSet.descent(block, 0, count);
        for (int i = 0; i < count; i++) {
          outside |= RowSet.outside(block[i], out.numRows());
        }
        System.arraycopy(block, 0, out.room(count), out.count(), count);
        out.added(count, outside, true);
        count = 0;
      }
    }
  }

  @Override
  public byte id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public AddedForm added() {
    return this;
  }

  @Override
  public DecodeCost cost() {
    return cost;
  }

  @Override
  public Estimate estimate(PostingChunk chunk) {
    final SizeEstimate estimate;
    try {
      estimate = AddedForm.required(encoding.estimate(new Lists(chunk)), "estimate");
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to estimate", chunk.numPostings(), e);
    }
    // A list may be larger than the buffer in which unknown sizes are tried.
    return estimate.isExact() ? AddedForm.estimate(estimate, Integer.MAX_VALUE) : Estimate.SKIP;
  }

  @Override
  public void encode(PostingChunk chunk, ByteBuffer out) {
    out.put(id);
    final ByteBuffer rest = out.slice().order(out.order());
    try {
      encoding.encode(new Lists(chunk), rest);
      check(chunk, rest);
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to encode", chunk.numPostings(), e);
    }
    out.position(out.position() + rest.position());
  }

  private PostingReader open(ByteBuffer chunk, int numLists, int numRows) {
    return AddedForm.required(encoding.open(chunk.asReadOnlyBuffer().order(chunk.order()), numLists, numRows), "open");
  }

  /** Reads back what was written, because nobody could repair a segment that an encoding wrote wrongly. */
  private void check(PostingChunk chunk, ByteBuffer written) {
    final PostingReader reader =
        open(written.slice(0, written.position()).order(written.order()), chunk.size(), chunk.numRows());
    for (int list = 0; list < chunk.size(); list++) {
      final RowSet read = RowSet.inOrder(chunk.numRows());
      final Rows rows = new Rows(read);
      reader.read(list, rows);
      rows.flush();
      final int start = chunk.start(list);
      if (!Arrays.equals(read.rows(), 0, read.count(), chunk.rows(), start, chunk.end(list))) {
        throw new IllegalStateException("list " + list + " is not read as it was written");
      }
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, PostingChunkReader reader) {
    final PostingReader lists;
    try {
      lists = open(
          chunk.clear().slice(offset + 1, length - 1).order(chunk.order()),
          reader.numLists(),
          reader.numRows()
      );
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
    reader.transformTo((from, to, out) -> {
      final Rows rows = new Rows(out);
      try {
        for (int list = from; list < to; list++) {
          lists.read(list, rows);
          rows.flush();
        }
      } catch (Throwable e) {
        throw AddedForm.notRead(name, e);
      }
    });
  }
}
