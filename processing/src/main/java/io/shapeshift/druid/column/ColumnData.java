// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.ChunkReader;
import io.shapeshift.druid.form.Decoders;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntForms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Bytes and header of a shape-shifting column, checked once and shared by all its readers.
 *
 * @param <R> type of the chunk readers that the column's decoders transform
 */
public final class ColumnData<R extends ChunkReader> {
  private final String column;
  private final ByteBuffer buffer;
  private final ColumnHeader header;
  private final Decoders<R> decoders;
  private final int offsetsStart;
  private final int groupsStart;
  private final int valuesStart;
  private final int valuesSize;
  private final int maxValuesPerChunk;
  /** Names of encodings of other jars; null without such, so that reads have one comparison only. */
  @Nullable
  private final AddedNames added;
  /** Whether all encodings of other jars were found to be installed. */
  private volatile boolean hasEncodings;
  /** Number of the first chunk of each group; filled when the groups are checked. */
  private final int[] firstChunks;

  private ColumnData(
      String column,
      ByteBuffer buffer,
      ColumnHeader header,
      int maxValuesPerChunk,
      Decoders<R> decoders
  ) {
    this.column = column;
    this.buffer = buffer;
    this.header = header;
    this.maxValuesPerChunk = maxValuesPerChunk;
    this.decoders = decoders;
    this.added = header.added().isEmpty() ? null : header.added();
    this.offsetsStart = header.headerSize();
    this.groupsStart = offsetsStart + Integer.BYTES * (header.numChunks() + 1);
    this.valuesStart = offsetsStart + header.offsetsSize();
    this.valuesSize = buffer.limit() - valuesStart;
    this.firstChunks = new int[header.numGroups()];
  }

  /**
   * Reads a column's header and advances the buffer past the column.
   *
   * @param column            name of the column, for messages
   * @param buffer            in the byte order of the column
   * @param maxValuesPerChunk most values that a chunk can have, a power of 2
   * @param decoders          decoders of the type
   * @throws ColumnFormatException if the version or a form is unknown, or the header contradicts itself or the buffer
   */
  public static <R extends ChunkReader> ColumnData<R> read(
      String column,
      ByteBuffer buffer,
      int maxValuesPerChunk,
      Decoders<R> decoders
  ) {
    final ByteBuffer slice = buffer.slice().order(buffer.order());
    final ColumnHeader header = ColumnHeader.read(column, slice, Integer.numberOfTrailingZeros(maxValuesPerChunk));
    int entryOffset = ColumnHeader.FIXED_SIZE;
    for (Composition.Entry entry : header.composition().entries()) {
      if (header.added().name(entry.formId()) == null) {
        decoder(column, decoders, entry.formId(), entryOffset);
      }
      entryOffset += Composition.ENTRY_SIZE;
    }
    final int valuesStart = header.headerSize() + header.offsetsSize();
    final int first = slice.getInt(header.headerSize());
    final int end = slice.getInt(header.headerSize() + Integer.BYTES * header.numChunks());
    final long expected = header.composition().bytes();
    if (first != 0 || end != expected) {
      throw ColumnFormatException.damaged(column, "the offsets from offset " + header.headerSize()
          + " on go from " + first + " to " + end + ", expected 0 to " + expected + " as the composition has it");
    }
    slice.limit(valuesStart + end);
    buffer.position(buffer.position() + slice.limit());
    final ColumnData<R> data = new ColumnData<>(column, slice, header, maxValuesPerChunk, decoders);
    data.readGroups();
    return data;
  }

  /** Counts the chunks of each group, and checks that the groups have all chunks, as {@link #findChunk} assumes. */
  private void readGroups() {
    int numChunks = 0;
    for (int group = 0; group < header.numGroups(); group++) {
      final int offset = groupsStart + ColumnHeader.GROUP_SIZE * group;
      final int starts = startsOf(offset);
      final int numBlocks =
          Math.min(ColumnHeader.BLOCKS_PER_GROUP, header.numBlocks() - group * ColumnHeader.BLOCKS_PER_GROUP);
      if ((starts & 1) == 0 || starts >>> numBlocks != 0) {
        throw ColumnFormatException.damaged(column, "the chunks of group " + group + " start where the bits 0x"
            + Integer.toHexString(starts) + " at offset " + offset
            + " have it, expected its first block and others of its " + numBlocks);
      }
      firstChunks[group] = numChunks;
      numChunks += Integer.bitCount(starts);
    }
    if (numChunks != header.numChunks()) {
      throw ColumnFormatException.damaged(column, "the groups from offset " + groupsStart + " on tell of " + numChunks
          + " chunks, the composition of " + header.numChunks());
    }
  }

  /** Returns one bit per block of a group, set if a chunk starts with the block. */
  private int startsOf(int offset) {
    return buffer.getShort(offset) & 0xFFFF;
  }

  private static <R> FormDecoder<R> decoder(String column, Decoders<R> decoders, byte formId, int offset) {
    @Nullable final FormDecoder<R> decoder = decoders.apply(formId);
    if (decoder == null) {
      throw ColumnFormatException.newer(
          column,
          "it has chunks in form " + formId + " (at offset " + offset + "), which this druid-shapeshift does not know"
      );
    }
    return decoder;
  }

  private FormDecoder<R> decoder(byte formId, int offset) {
    @Nullable final FormDecoder<R> decoder = decoders.apply(formId);
    return decoder == null ? addedDecoder(formId, offset) : decoder;
  }

  private FormDecoder<R> addedDecoder(byte formId, int offset) {
    @Nullable final String encoding = header.added().name(formId);
    if (encoding == null) {
      return decoder(column, decoders, formId, offset);
    }
    @Nullable final FormDecoder<R> decoder = decoders.added(encoding);
    if (decoder == null) {
      throw ColumnFormatException.missing(column, List.of(encoding));
    }
    return decoder;
  }

  /**
   * Checks that all encodings of other jars are installed that the column uses. Only what reads values checks it, so
   * that a segment with such a column can be loaded without the jar.
   *
   * @throws ColumnFormatException if one is not installed; its message names column and encoding
   */
  private void requireEncodings() {
    if (added != null && !hasEncodings) {
      final List<String> missing = added.names().stream()
          .filter(name -> decoders.added(name) == null && IntForms.added(name) == null)
          .toList();
      if (!missing.isEmpty()) {
        throw ColumnFormatException.missing(column, missing);
      }
      hasEncodings = true;
    }
  }

  /** Starts a chunk with the names of the column's encodings of other jars. */
  private void startChunk(R reader, int numValues) {
    reader.startChunk(numValues);
    if (added != null) {
      reader.useAdded(added);
    }
  }

  /**
   * Returns the name of a chunk's form, including the form of its child if it has one. Selection uses the same name.
   *
   * @param reader used for decoding; must not be read afterwards
   * @throws MalformedChunkException if the chunk is too short
   */
  public String formOf(ChunkInfo chunk, R reader) {
    @Nullable final String encoding = header.added().name(chunk.formId());
    if (encoding != null) {
      return encoding;
    }
    startChunk(reader, chunk.numValues());
    return decoder(chunk.formId(), chunk.offset()).nameOf(newView(), chunk.offset(), chunk.bytes(), reader);
  }

  /**
   * Returns the name of the inner form whose payload a codec has compressed in a chunk; null without a codec.
   *
   * @param reader used for decoding; must not be read afterwards
   * @throws MalformedChunkException if the chunk is too short
   */
  @Nullable
  public String compressedFormOf(ChunkInfo chunk, R reader) {
    if (header.added().name(chunk.formId()) != null) {
      return null;
    }
    startChunk(reader, chunk.numValues());
    return decoder(chunk.formId(), chunk.offset())
        .compressedName(newView(), chunk.offset(), chunk.bytes(), reader);
  }

  /** Returns the header. */
  public ColumnHeader header() {
    return header;
  }

  /** Returns the size of the column in bytes: header, offsets and chunks. */
  public int sizeInBytes() {
    return buffer.limit();
  }

  /** Returns a view of the column's bytes with its own position and limit. */
  public ByteBuffer newView() {
    return buffer.duplicate().order(buffer.order());
  }

  /**
   * Returns the position and form of a block's chunk.
   *
   * @param block number of an existing block
   * @throws ColumnFormatException if the column's offsets contradict each other or the size of the column
   */
  public ChunkInfo chunkOfBlock(int block) {
    final BlockRange blocks = new BlockRange();
    findChunk(block, blocks);
    final int start = startOf(blocks.chunk);
    final int bytes = bytesOf(blocks.chunk, start);
    final int offset = valuesStart + start;
    return new ChunkInfo(
        blocks.chunk,
        blocks.first,
        blocks.end - blocks.first,
        blocks.first << header.logValuesPerBlock(),
        numValues(blocks),
        buffer.get(offset),
        offset,
        bytes
    );
  }

  /**
   * Returns all chunks, in order.
   *
   * @throws ColumnFormatException if the column's offsets contradict each other or the size of the column
   */
  public List<ChunkInfo> chunks() {
    final List<ChunkInfo> chunks = new ArrayList<>();
    for (int block = 0; block < header.numBlocks(); block += chunks.get(chunks.size() - 1).numBlocks()) {
      chunks.add(chunkOfBlock(block));
    }
    return chunks;
  }

  /**
   * The chunks that must be decoded completely before any of their values can be read.
   *
   * @param chunks number of these chunks
   * @param values number of values in these chunks
   */
  public record DecodedWhole(int chunks, int values) {}

  /**
   * Returns the chunks that must be decoded completely, as their first bytes show.
   *
   * @param reader used for decoding; must not be read afterwards
   * @throws ColumnFormatException if the first bytes of a chunk are damaged
   */
  DecodedWhole decodedWhole(R reader) {
    requireEncodings();
    final ByteBuffer view = newView();
    final BlockRange blocks = new BlockRange();
    int chunks = 0;
    int values = 0;
    for (int block = 0; block < header.numBlocks(); block = blocks.end) {
      findChunk(block, blocks);
      final int start = startOf(blocks.chunk);
      final int bytes = bytesOf(blocks.chunk, start);
      final int offset = valuesStart + start;
      final int numValues = numValues(blocks);
      view.clear();
      startChunk(reader, numValues);
      try {
        if (decoder(buffer.get(offset), offset).isDecodedWhole(view, offset, bytes, reader)) {
          chunks++;
          values += numValues;
        }
      } catch (MalformedChunkException | IndexOutOfBoundsException e) {
        throw damaged(blocks, e);
      }
    }
    return new DecodedWhole(chunks, values);
  }

  /** Range of blocks in a chunk. Each reader has one such object and reuses it. */
  static final class BlockRange {
    /** Number of the chunk. */
    int chunk;
    /** Number of its first block. */
    int first;
    /** Number of the first block after the chunk. */
    int end;
  }

  /** Finds the chunk of an existing block. */
  void findChunk(int block, BlockRange blocks) {
    final int group = block >> ColumnHeader.LOG_BLOCKS_PER_GROUP;
    final int inGroup = block & ColumnHeader.BLOCKS_PER_GROUP - 1;
    final int starts = startsOf(groupsStart + ColumnHeader.GROUP_SIZE * group);
    final int upToBlock = starts & ((2 << inGroup) - 1);
    final int behindBlock = starts >>> (inGroup + 1);
    blocks.chunk = firstChunks[group] + Integer.bitCount(upToBlock) - 1;
    blocks.first = block - inGroup + Integer.SIZE - 1 - Integer.numberOfLeadingZeros(upToBlock);
    blocks.end = behindBlock != 0
                 ? block + 1 + Integer.numberOfTrailingZeros(behindBlock)
                 : Math.min(header.numBlocks(), block - inGroup + ColumnHeader.BLOCKS_PER_GROUP);
  }

  /** Returns the number of values in a range of blocks. */
  int numValues(BlockRange blocks) {
    final long end = (long) blocks.end << header.logValuesPerBlock();
    return (int) Math.min(end, header.numValues()) - (blocks.first << header.logValuesPerBlock());
  }

  /** Returns the start of a chunk, relative to the first chunk; {@link #bytesOf} checks it. */
  private int startOf(int chunk) {
    return buffer.getInt(offsetsStart + chunk * Integer.BYTES);
  }

  private int bytesOf(int chunk, int start) {
    final int end = startOf(chunk + 1);
    if (start < 0 || end <= start || end > valuesSize) {
      throw ColumnFormatException.damaged(column, "the offsets of chunk " + chunk + ", at offset "
          + (offsetsStart + chunk * Integer.BYTES) + ", say that it goes from " + start + " to " + end + " of "
          + valuesSize + " bytes of chunks");
    }
    return end - start;
  }

  /**
   * Transforms a reader to a chunk.
   *
   * @param blocks found by {@link #findChunk}
   * @param view   the reader's own, from {@link #newView()}
   * @return number of values in the chunk
   * @throws ColumnFormatException if the chunk does not match the header
   */
  int transform(BlockRange blocks, ByteBuffer view, R reader) {
    // Does not call chunkOfBlock(), because this is most of the time of a sparse read in a form that is read in place.
    final int start = startOf(blocks.chunk);
    final int bytes = bytesOf(blocks.chunk, start);
    final int offset = valuesStart + start;
    requireEncodings();
    final FormDecoder<R> decoder = decoder(buffer.get(offset), offset);
    final int numValues = numValues(blocks);
    if (numValues > maxValuesPerChunk) {
      throw ColumnFormatException.damaged(column, chunkAt(blocks, offset) + " has " + numValues
          + " values, but can have at most " + maxValuesPerChunk);
    }
    view.clear();
    startChunk(reader, numValues);
    try {
      decoder.transform(view, offset, bytes, reader);
    } catch (RuntimeException e) {
      throw damaged(blocks, e);
    }
    return numValues;
  }

  /** Creates the exception for a position that is not in the column. */
  ColumnFormatException missing(int position) {
    return ColumnFormatException.damaged(
        column, "position " + position + " is asked for, of a column of " + header.numValues() + " values");
  }

  /**
   * Creates the exception for a chunk that cannot be read.
   *
   * @param e exception of a decoder or a chunk reader
   */
  ColumnFormatException damaged(BlockRange blocks, RuntimeException e) {
    final String found = e instanceof MalformedChunkException ? ": " + e.getMessage() : " cannot be read: " + e;
    final String message = chunkAt(blocks, valuesStart + startOf(blocks.chunk)) + found;
    return e instanceof MalformedChunkException malformed && malformed.isNewer()
           ? ColumnFormatException.newer(column, message, e)
           : ColumnFormatException.damaged(column, message, e);
  }

  /** Describes a chunk and its form for messages; its form has a decoder. */
  private String chunkAt(BlockRange blocks, int offset) {
    final String form = decoder(buffer.get(offset), offset).name();
    return "chunk " + blocks.chunk + " at offset " + offset + " (" + form + ")";
  }
}
