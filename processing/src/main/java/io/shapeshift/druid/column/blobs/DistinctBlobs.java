// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;

/**
 * Section whose equal values are stored once: the section of the distinct values, in the order of their first rows and
 * without null, and a column of ints with 0 for null and otherwise the number of the value plus 1.
 */
final class DistinctBlobs extends BlobSection {
  private final BlobSection values;
  private final ShapeShiftingColumnarIntsSupplier codes;

  DistinctBlobs(Head head, String column, ByteBuffer content) {
    super(head);
    this.values = read(column + " (distinct values)", content);
    if (values.form() == BlobForm.DISTINCT) {
      throw new MalformedChunkException("its distinct values are distinct values themselves");
    }
    this.codes = Sections.readInts(column + " (ids)", content, head.numValues());
  }

  /** Returns the section of the distinct values. */
  BlobSection values() {
    return values;
  }

  /** Returns the code of each value: 0 for null, otherwise its number among the distinct values plus 1. */
  ShapeShiftingColumnarInts codes() {
    return codes.get();
  }

  @Override
  String description() {
    return super.description() + " " + values.description();
  }

  @Override
  Reader reader() {
    return new DistinctReader();
  }

  private final class DistinctReader extends Reader {
    /** Copies of values that were read; null if there are too many. */
    @Nullable
    private final ByteBuffer[] known =
        values.numValues() <= CostModel.Blobs.MOST_KNOWN && values.sizeInBytes() <= CostModel.Blobs.MOST_KNOWN_BYTES
        ? new ByteBuffer[values.numValues()]
        : null;
    private final ShapeShiftingColumnarInts ids = codes();
    private final Reader distinct = values.reader();

    @Nullable
    @Override
    ByteBuffer get(int index, boolean isKept) {
      final int id = ids.get(index) - 1;
      if (id == BlobSpill.NULL) {
        return null;
      }
      if (id < 0 || id >= values.numValues()) {
        throw new MalformedChunkException("a row has value " + id + ", of " + values.numValues());
      }
      return known == null || isKept ? distinct.get(id, isKept) : known(id);
    }

    private ByteBuffer known(int id) {
      if (known[id] == null) {
        final ByteBuffer value = distinct.get(id, false);
        known[id] = ByteBuffer.allocate(value.remaining()).put(value).flip();
      }
      // A strategy may have changed the order of a shared buffer.
      return known[id].clear().order(ByteOrder.BIG_ENDIAN);
    }

    @Override
    void addNulls(int firstRow, RowSet out) {
      addZeros(ids, firstRow, out);
    }

    @Override
    void close() {
      ids.close();
      distinct.close();
    }
  }

  /**
   * Returns the section of values whose distinct ones are encoded already.
   *
   * @param distinct the distinct values
   * @param codes    a code for each value; closed
   */
  static EncodedBlobs of(BlobSpill values, EncodedBlobs distinct, ShapeShiftingColumnarIntsSerializer codes) {
    return new EncodedBlobs(BlobForm.DISTINCT, values.size(), values.longest()) {
      @Override
      String label() {
        return super.label() + " " + distinct.label();
      }

      @Override
      DecodeCost cost() {
        return super.cost().times(distinct.cost());
      }

      @Override
      long contentSize() throws IOException {
        return distinct.size() + codes.getSerializedSize();
      }

      @Override
      void writeContentTo(WritableByteChannel channel) throws IOException {
        distinct.writeTo(channel);
        codes.writePartTo(channel);
      }
    };
  }
}
