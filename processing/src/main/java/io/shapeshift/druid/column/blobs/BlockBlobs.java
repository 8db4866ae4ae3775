// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import io.shapeshift.druid.form.codec.DecompressedPayload;
import io.shapeshift.druid.rows.RowSet;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Section whose values are one stream of bytes, cut into blocks of {@value #BLOCK_SIZE} bytes that are compressed. A
 * value may lie in several blocks. The blocks of LZ4 are those of Druid's own compressed column.
 *
 * <pre>
 * | bytes        | field                                                                  |
 * |--------------|------------------------------------------------------------------------|
 * |              | {@link Slices}                                                         |
 * | 8            | size of the stream before compression (little-endian)                  |
 * | 1            | width of an offset in bits, 1 to 32                                    |
 * | by the width | start of each block, and the end of the last, bit-packed               |
 * |              | blocks                                                                 |
 * | 8            | zero bytes                                                             |
 * </pre>
 */
final class BlockBlobs extends BlobSection {
  /** Bytes of a block before compression, except the last. */
  static final int BLOCK_SIZE = Limits.MAX_PAYLOAD_BYTES;

  private final Codec codec;
  private final Slices slices;
  private final long streamSize;
  private final int numBlocks;
  private final ByteBuffer content;
  private final RawBytes offsets = new RawBytes();
  private final int offsetsOffset;
  private final int offsetWidth;
  private final int blocksOffset;
  private final int blockBytes;

  BlockBlobs(Head head, String column, ByteBuffer content) {
    super(head);
    this.codec = head.form() == BlobForm.LZ4 ? Codec.LZ4 : Codec.ZSTD;
    this.content = content;
    this.slices = new Slices(column, content, head.numValues());
    this.streamSize = content.getLong();
    final long blocks = (streamSize + BLOCK_SIZE - 1) / BLOCK_SIZE;
    if (streamSize < 0 || blocks > content.remaining()) {
      throw new MalformedChunkException(
          "a stream of " + streamSize + " bytes does not fit into " + content.remaining() + " compressed ones");
    }
    this.numBlocks = (int) blocks;
    this.offsetWidth = content.get();
    if (offsetWidth < 1 || offsetWidth > Integer.SIZE) {
      throw new MalformedChunkException("offsets of blocks have " + offsetWidth + " bits");
    }
    this.offsets.wrap(content);
    this.offsetsOffset = content.position();
    Sections.skip(content, Sections.numBytes(numBlocks + 1, offsetWidth));
    this.blocksOffset = content.position();
    this.blockBytes = content.remaining() - Sections.SLACK;
    if (blockBytes < 0) {
      throw new MalformedChunkException("its blocks have " + blockBytes + " bytes");
    }
  }

  @Override
  Reader reader() {
    return new BlockReader();
  }

  private final class BlockReader extends Reader {
    private final Slices.Reader positions = slices.reader(streamSize);
    private final ByteBuffer view = content.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    private final DecompressedPayload payload = new DecompressedPayload();
    /** Number of the block in {@link #block}; -1 if there is none. */
    private int loaded = -1;
    private ByteBuffer block = ByteBuffer.allocate(0);

    @Nullable
    @Override
    ByteBuffer get(int index, boolean isKept) {
      final int inBlock = positions.seek(index);
      final int length = positions.length(inBlock);
      if (length == BlobSpill.NULL) {
        return null;
      }
      final ByteBuffer out = buffer(length, isKept);
      long position = positions.start(inBlock);
      for (int done = 0; done < length; ) {
        load(position / BLOCK_SIZE);
        final int from = (int) (position % BLOCK_SIZE);
        final int count = Math.min(length - done, block.limit() - from);
        if (count <= 0) {
          throw new MalformedChunkException("a value starts at " + position + ", behind the " + streamSize + " bytes");
        }
        block.get(from, out.array(), out.arrayOffset() + done, count);
        done += count;
        position += count;
      }
      return out;
    }

    private void load(long number) {
      if (number == loaded) {
        return;
      }
      loaded = -1;
      if (number < 0 || number >= numBlocks) {
        throw new MalformedChunkException("a value is in block " + number + ", of " + numBlocks);
      }
      final int start = BitStream.get(offsets, offsetsOffset, offsetWidth, (int) number);
      final int end = BitStream.get(offsets, offsetsOffset, offsetWidth, (int) number + 1);
      if (start < 0 || end < start || end > blockBytes) {
        throw new MalformedChunkException(
            "block " + number + " goes from byte " + start + " to " + end + ", of " + blockBytes);
      }
      view.clear();
      block = payload.decompress(codec, form().label(), view, blocksOffset + start, end - start);
      final long expected = Math.min(BLOCK_SIZE, streamSize - number * BLOCK_SIZE);
      if (block.limit() != expected) {
        throw new MalformedChunkException(
            "block " + number + " decompresses to " + block.limit() + " bytes, expected " + expected);
      }
      loaded = (int) number;
    }

    @Override
    void addNulls(int firstRow, RowSet out) {
      addZeros(positions.codes(), firstRow, out);
    }

    @Override
    void close() {
      loaded = -1;
      positions.close();
      payload.release();
    }
  }

  /** Compresses the values of a spill, block by block. */
  static final class Writer {
    private final Codec codec;
    private final WriteOutBytes out;
    private final LongArrayList offsets = new LongArrayList();

    private Writer(Codec codec, WriteOutBytes out) {
      this.codec = codec;
      this.out = out;
    }

    private void compress(ByteBuffer payload, ByteBuffer compressed) throws IOException {
      // The blocks of LZ4 must be as small as Druid's. Its level of Zstandard takes ten times as long as this one.
      final Codec.Effort effort = codec == Codec.LZ4 ? Codec.Effort.STOCK : Codec.Effort.MODERATE;
      codec.compress(payload.flip(), compressed.clear(), effort);
      offsets.add(out.size());
      Channels.writeFully(out, compressed.flip());
      payload.clear();
    }
  }

  /**
   * Encodes values.
   *
   * @param limit most bytes of the section
   * @return null if the section has more
   */
  @Nullable
  static EncodedBlobs encode(
      String column,
      BlobSpill values,
      Codec codec,
      long limit,
      SegmentWriteOutMedium medium,
      OptimizationTarget target
  ) throws IOException {
    final Slices.Writer slices = new Slices.Writer(column, medium, target);
    final Writer blocks = new Writer(codec, medium.makeWriteOutBytes());
    try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take();
         BlobSpill.Values each = values.values()) {
      final ByteBuffer payload = holder.get().payload.clear();
      while (each.next()) {
        slices.add(each.length());
        for (int done = 0; done < each.length(); ) {
          final int count = Math.min(each.length() - done, payload.remaining());
          payload.put(each.bytes(), done, count);
          done += count;
          if (!payload.hasRemaining()) {
            blocks.compress(payload, holder.get().compressed);
          }
        }
        if (blocks.out.size() > limit) {
          return null;
        }
      }
      if (payload.position() > 0) {
        blocks.compress(payload, holder.get().compressed);
      }
    }
    final LongArrayList offsets = blocks.offsets;
    offsets.add(blocks.out.size());
    final int width = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(blocks.out.size()));
    final int offsetBytes = BitStream.numBytes(offsets.size(), width);
    final BlobForm form = codec == Codec.LZ4 ? BlobForm.LZ4 : BlobForm.ZSTD;
    final EncodedBlobs encoded = new EncodedBlobs(form, values.size(), values.longest()) {
      @Override
      long contentSize() throws IOException {
        return slices.size() + Long.BYTES + 1 + offsetBytes + blocks.out.size() + Sections.SLACK;
      }

      @Override
      void writeContentTo(WritableByteChannel channel) throws IOException {
        slices.writeTo(channel);
        final ByteBuffer head =
            ByteBuffer.allocate(Long.BYTES + 1 + offsetBytes).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(values.numBytes()).put((byte) width);
        BitStream.pack(offsets.elements(), offsets.size(), 0, width, head);
        Channels.writeFully(channel, head.flip());
        blocks.out.writeTo(channel);
        Channels.writeFully(channel, Sections.slack());
      }
    };
    return encoded.size() > limit ? null : encoded;
  }
}
