// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.inspect.Inspection.ChunkInspection;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.segment.RowPart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.druid.segment.data.CompressedColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSupplier;

/**
 * Reader of the headers and blocks of stock row parts, which Druid's classes do not expose. A compressed column
 * consists of a header and its blocks, in a {@code GenericIndexed} of version 1. That has two bytes, the size of the
 * blocks in bytes, their number, the end of each block, and the blocks. Four bytes precede each block, and count as
 * part of it here.
 */
final class StockParts {
  private static final int GENERIC_INDEXED_HEADER = 10;
  private static final byte GENERIC_INDEXED_ONE_FILE = 1;

  private final ByteBuffer bytes;
  private final int numRows;

  private StockParts(ByteBuffer bytes, int numRows) {
    this.bytes = bytes;
    this.numRows = numRows;
  }

  static List<PartInspection> read(RowPart rows, int numRows) {
    final StockParts in = new StockParts(rows.bytes().duplicate(), numRows);
    if (rows.column() instanceof CompressedVSizeColumnarIntsSupplier) {
      return List.of(in.vSizeInts("ids"));
    }
    if (rows.column() instanceof CompressedVSizeColumnarMultiIntsSupplier) {
      in.bytes.get();
      return List.of(in.vSizeInts("offsets"), in.vSizeInts("values"));
    }
    if (rows.column() instanceof V3CompressedVSizeColumnarMultiIntsSupplier) {
      in.bytes.get();
      return List.of(in.ints("offsets"), in.vSizeInts("values"));
    }
    return List.of(rows.type() == EncodedType.INT ? in.whole("ids", Map.of(), rows) : in.numbers(rows));
  }

  /** Reads the format of {@link CompressedVSizeColumnarIntsSupplier}. */
  private PartInspection vSizeInts(String name) {
    final Map<String, Object> header = new LinkedHashMap<>();
    header.put("version", (int) bytes.get());
    header.put("numBytes", (int) bytes.get());
    return blocks(name, header);
  }

  /** Reads the format of {@link CompressedColumnarIntsSupplier}. */
  private PartInspection ints(String name) {
    final Map<String, Object> header = new LinkedHashMap<>();
    header.put("version", (int) bytes.get());
    return blocks(name, header);
  }

  /** Reads the rest of a header, and the blocks. */
  private PartInspection blocks(String name, Map<String, Object> header) {
    final int totalSize = bytes.getInt();
    final int sizePer = bytes.getInt();
    final CompressionStrategy compression = CompressionStrategy.forId(bytes.get());
    header.put("totalSize", totalSize);
    header.put("sizePer", sizePer);
    header.put("compression", compression.toString());
    return Inspector.part(name, header, blocks(totalSize, sizePer, compression.toString()));
  }

  private PartInspection numbers(RowPart rows) {
    final Map<String, Object> header = new LinkedHashMap<>();
    final int version = bytes.get();
    final int totalSize = bytes.getInt();
    final int sizePer = bytes.getInt();
    header.put("version", version);
    header.put("totalSize", totalSize);
    header.put("sizePer", sizePer);
    // Version 1 had no byte for the codec.
    final byte id = version == 1 ? CompressionStrategy.LZF.getId() : bytes.get();
    final CompressionStrategy compression = CompressionStrategy.forId(CompressionFactory.clearEncodingFlag(id));
    header.put("compression", compression.toString());
    if (CompressionFactory.hasEncodingFlag(id)) {
      header.put("encoding", String.valueOf(CompressionFactory.LongEncodingFormat.forId(bytes.get())));
      return whole("numbers", header, rows);
    }
    return compression == CompressionStrategy.NONE
           ? whole("numbers", header, rows)
           : Inspector.part("numbers", header, blocks(totalSize, sizePer, compression.toString()));
  }

  /** Describes a part as one chunk, because it has no blocks, or has blocks that only Druid can read. */
  private PartInspection whole(String name, Map<String, Object> header, RowPart rows) {
    return Inspector.part(
        name,
        header,
        List.of(Inspector.chunk(0, 0, 0, numRows, rows.encoding(), null, rows.bytes().remaining()))
    );
  }

  /** Reads the blocks, and advances past them. */
  private List<ChunkInspection> blocks(int totalSize, int sizePer, String codec) {
    final int start = bytes.position();
    if (bytes.get(start) != GENERIC_INDEXED_ONE_FILE) {
      // Above 2 GiB the blocks are in additional files.
      return List.of(Inspector.chunk(0, start, 0, totalSize, codec, null, bytes.remaining()));
    }
    final int count = bytes.getInt(start + 6);
    final int offsets = start + GENERIC_INDEXED_HEADER;
    final int blocks = offsets + count * Integer.BYTES;
    final List<ChunkInspection> chunks = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < count; i++) {
      final int to = bytes.getInt(offsets + i * Integer.BYTES);
      final long firstValue = (long) i * sizePer;
      chunks.add(
          Inspector.chunk(
              i,
              blocks + from,
              firstValue,
              (int) Math.min(sizePer, totalSize - firstValue),
              codec,
              null,
              to - from
          )
      );
      from = to;
    }
    bytes.position(blocks + from);
    return chunks;
  }
}
