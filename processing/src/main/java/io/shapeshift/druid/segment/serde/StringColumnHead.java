// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.google.common.base.Supplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.data.VSizeColumnarMultiInts;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde.Feature;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde.VERSION;

/**
 * First bytes of a string column, the same in stock and shape-shifting columns.
 *
 * @param version Druid's version, which determines the layout of stock ids
 * @param flags   Druid's flags
 */
public record StringColumnHead(VERSION version, int flags) {
  private static final int KNOWN_FLAGS =
      Feature.MULTI_VALUE.getMask() | Feature.MULTI_VALUE_V3.getMask() | Feature.NO_BITMAP_INDEX.getMask();

  /**
   * Head as Druid writes it.
   *
   * @param isMultiValue whether rows may have several values
   * @param isCompressed whether stock ids are compressed, or would be if the ids were stock
   * @param hasIndexes   whether the column has an index of values
   */
  public static StringColumnHead of(boolean isMultiValue, boolean isCompressed, boolean hasIndexes) {
    int flags = hasIndexes ? DictionaryEncodedColumnPartSerde.NO_FLAGS : Feature.NO_BITMAP_INDEX.getMask();
    if (isMultiValue) {
      flags |= (isCompressed ? Feature.MULTI_VALUE_V3 : Feature.MULTI_VALUE).getMask();
    }
    final VERSION version;
    if (isCompressed) {
      version = VERSION.COMPRESSED;
    } else if (!hasIndexes) {
      version = VERSION.UNCOMPRESSED_WITH_FLAGS;
    } else {
      version = isMultiValue ? VERSION.UNCOMPRESSED_MULTI_VALUE : VERSION.UNCOMPRESSED_SINGLE_VALUE;
    }
    return new StringColumnHead(version, flags);
  }

  /** Reads the head, and advances the buffer's position past it. */
  public static StringColumnHead read(ByteBuffer buffer) {
    final VERSION version = VERSION.fromByte(buffer.get());
    final int flags = switch (version) {
      case UNCOMPRESSED_SINGLE_VALUE -> DictionaryEncodedColumnPartSerde.NO_FLAGS;
      case UNCOMPRESSED_MULTI_VALUE -> Feature.MULTI_VALUE.getMask();
      case COMPRESSED, UNCOMPRESSED_WITH_FLAGS -> buffer.getInt();
    };
    return new StringColumnHead(version, flags);
  }

  /** Bytes of the head in a segment. */
  public ByteBuffer toBytes() {
    final ByteBuffer bytes = ByteBuffer.allocate(Byte.BYTES + Integer.BYTES).put(version.asByte());
    return version.compareTo(VERSION.COMPRESSED) < 0 ? bytes.flip() : bytes.putInt(flags).flip();
  }

  /** Whether all flags that are set are known to Druid 37. */
  boolean areFlagsKnown() {
    return (flags & ~KNOWN_FLAGS) == 0;
  }

  /** Whether rows may have several values. */
  public boolean isMultiValue() {
    return Feature.MULTI_VALUE.isSet(flags) || Feature.MULTI_VALUE_V3.isSet(flags);
  }

  /** Whether stock ids are compressed. */
  public boolean isCompressed() {
    return version == VERSION.COMPRESSED;
  }

  /** Whether the column has an index of values. */
  public boolean hasIndexes() {
    return !Feature.NO_BITMAP_INDEX.isSet(flags);
  }

  /** Reads the stock ids of a single-value column, and advances the buffer's position past them. */
  public Supplier<ColumnarInts> readIds(ByteBuffer buffer, ByteOrder order, SegmentFileMapper files) {
    return isCompressed()
           ? CompressedVSizeColumnarIntsSupplier.fromByteBuffer(buffer, order, files)
           : VSizeColumnarInts.readFromByteBuffer(buffer);
  }

  /** Reads the stock ids of a multi-value column, and advances the buffer's position past them. */
  public Supplier<ColumnarMultiInts> readMultiIds(ByteBuffer buffer, ByteOrder order, SegmentFileMapper files) {
    if (!isCompressed()) {
      return VSizeColumnarMultiInts.readFromByteBuffer(buffer);
    }
    return Feature.MULTI_VALUE.isSet(flags)
           ? CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(buffer, order, files)
           : V3CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(buffer, order, files);
  }
}
