// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.form.AddedNames;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import io.shapeshift.druid.form.codec.StockCodecForm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.druid.collections.ResourceHolder;

/**
 * Size limit of a column: the size of the stock column of the same values, times a factor of the target. The factor is
 * 1 of LZ4 under {@code fastbutsmallish}, 1.1 of LZ4 under {@code faster}, and 1.02 of Zstandard under {@code smaller}.
 * The limit holds for every column. The proof:
 *
 * <ol>
 * <li>The balance is the factor, times a lower bound of the size of the stock column of the values so far, minus the
 * size of the shape-shifting column, both with all overhead. A column whose balance is never negative keeps the limit.
 * <li>The balance starts with the heads of both columns. The shape-shifting head has 11 bytes, and 9 bytes for the
 * first form; the stock head has 20 or 21 bytes. So the balance is at least 0 after the codec's entry is subtracted
 * too. That entry stays reserved until the codec is used or the last values arrive. Names of encodings of other jars
 * count with the first chunk that uses them.
 * <li>The buffered values are whole blocks of the stock column, except that the last block of the column may be
 * shorter: buffers end at the borders of the largest chunk that their width allows, and stock's width is no less. So
 * lower bounds of the sizes of these blocks add up to a lower bound of the stock column.
 * <li>The chosen chunks are stored if the balance then is not negative. Otherwise stock blocks are stored, byte for
 * byte: the same payload, compressed by the same compressor at the same level. The overhead of such a block is 2 bytes
 * for the chunk's head, 4 for its offset, and up to 2 for a group that begins with it; stock's overhead is 8 bytes. So
 * storing stock blocks never decreases the balance, and is always possible.
 * </ol>
 *
 * A lower bound of a stock block's size comes from the cheapest sufficient source: the least size of any block; for
 * LZ4, {@link Lz4Bound}; and the actual size, by compressing the block as Druid does. If
 * selection has already compressed the block, the actual size is used first. A chunk may use what earlier chunks saved:
 * if they have half the stock size, every other block needs no bound. None of these bounds is an estimate.
 * {@code CodecHistory} influences only which forms are preferred, not this budget.
 *
 * <p>If {@code blockSize} makes chunks smaller than stock blocks, they are compared with stock blocks of their size.
 * The number stored in a null row counts as it is stored: see
 * {@link io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer#addNull}.
 *
 * @param <C> type of the chunks
 */
public final class SizeBudget<C extends Chunk> {
  /** Size in bytes of the shortest Zstandard frame: magic number, descriptor, size, and head of one block. */
  private static final int LEAST_ZSTD_BYTES = 4 + 1 + 1 + 3;

  private final StockColumn<C> stock;
  private final StockCodecForm<C, ?> codec;
  private final double allowed;
  private final ColumnOverhead overhead;
  private final int valuesPerBlock;
  private final ByteOrder order;
  /** Ids of the column's forms. */
  private final BitSet forms = new BitSet();
  /** Encodings of other jars whose names the column has. */
  private final AddedNames added = new AddedNames();
  private double balance;

  /**
   * Creates the budget of a column without values.
   *
   * @param stock          stock column
   * @param codec          codec of the stock column
   * @param allowed        maximum ratio to the size of the stock column
   * @param overhead       bytes of the shape-shifting column outside of its chunks
   * @param valuesPerBlock number of values in a block of the shape-shifting column
   * @param order          byte order of both columns
   */
  public SizeBudget(
      StockColumn<C> stock,
      StockCodecForm<C, ?> codec,
      double allowed,
      ColumnOverhead overhead,
      int valuesPerBlock,
      ByteOrder order
  ) {
    this.stock = stock;
    this.codec = codec;
    this.allowed = allowed;
    this.overhead = overhead;
    this.valuesPerBlock = valuesPerBlock;
    this.order = order;
    this.balance = allowed * stock.headBytes() - overhead.head();
  }

  /** Codec of the stock column. */
  public StockCodecForm<C, ?> codec() {
    return codec;
  }

  /** Whether a chunk in the plain form of the codec is identical to a stock block. */
  public boolean isStock(C chunk, Form<C, ?> form) {
    return form == codec && stock.isPlain(chunk) && codec.prefersPlain(chunk);
  }

  /** Values of the column that are stored next. */
  public final class Span {
    private final Supplier<C> chunk;
    private final int length;
    private final boolean isLast;
    private final int groupBytes;
    /** Lower bound of the compressed size of each stock block, in bytes. */
    private final int[] least;
    /** Compressed stock blocks; null for blocks that were not compressed. */
    private final byte[][] blocks;

    private Span(Supplier<C> chunk, long position, int length, boolean isLast) {
      this.chunk = chunk;
      this.length = length;
      this.isLast = isLast;
      final int valuesPerGroup = valuesPerBlock * overhead.blocksPerGroup();
      final long groups = groups(position + length, valuesPerGroup) - groups(position, valuesPerGroup);
      this.groupBytes = (int) groups * overhead.perGroup();
      this.blocks = new byte[(length + stock.valuesPerBlock() - 1) / stock.valuesPerBlock()][];
      this.least = new int[blocks.length];
      Arrays.fill(least, codec.codec() == Codec.LZ4 ? Lz4Bound.trivially(1) : LEAST_ZSTD_BYTES);
    }

    private static long groups(long values, int valuesPerGroup) {
      return (values + valuesPerGroup - 1) / valuesPerGroup;
    }

    /**
     * Decides whether the balance is proven not to be negative if these chunks are stored.
     *
     * @param used  form of each chunk
     * @param bytes total size of the chunks
     */
    public SizeDecision offer(Collection<? extends Form<C, ?>> used, long bytes) {
      final long cost = cost(used, bytes);
      final boolean hasEntry = forms.get(codec.id()) || used.contains(codec);
      final double due = cost + (isLast || hasEntry ? 0 : overhead.perForm());
      final double wanted = (due - balance) / allowed;
      SizeDecision.Basis basis = SizeDecision.Basis.SAVED;
      if (isKnown()) {
        basis = SizeDecision.Basis.MEASURED;
        measure(0);
      }
      if (stockBytes() < wanted && codec.codec() == Codec.LZ4) {
        basis = SizeDecision.Basis.AT_LEAST;
        bound(wanted);
      }
      if (stockBytes() < wanted) {
        basis = SizeDecision.Basis.MEASURED;
        for (int i = 0; i < blocks.length && stockBytes() < wanted; i++) {
          measure(i);
        }
      }
      return new SizeDecision(basis, cost, stockBytes(), allowed, balance, stockBytes() >= wanted);
    }

    /** Subtracts stored chunks from the balance. */
    public void take(Collection<? extends Form<C, ?>> used, long bytes) {
      balance += allowed * stockBytes() - cost(used, bytes);
      used.forEach(form -> {
        forms.set(form.id());
        added.add(form.added());
      });
    }

    /** Stock blocks of the span. */
    public List<byte[]> stockBlocks() {
      for (int i = 0; i < blocks.length; i++) {
        measure(i);
      }
      return List.of(blocks);
    }

    /** Number of values. */
    public int length() {
      return length;
    }

    /** Number of values in a stock block. */
    public int length(int block) {
      return Math.min(stock.valuesPerBlock(), length - block * stock.valuesPerBlock());
    }

    private long cost(Collection<? extends Form<C, ?>> used, long bytes) {
      final long newForms = used.stream().mapToInt(Form::id).distinct().filter(id -> !forms.get(id)).count();
      return bytes + groupBytes + (long) used.size() * overhead.perChunk() + newForms * overhead.perForm()
          + newNames(used);
    }

    /** Bytes of the names of encodings of other jars that the column does not have yet. */
    private int newNames(Collection<? extends Form<C, ?>> used) {
      final AddedNames both = new AddedNames();
      used.forEach(form -> both.add(form.added()));
      if (both.isEmpty()) {
        return 0;
      }
      both.addAll(added);
      return both.sizeInBytes() - added.sizeInBytes();
    }

    /** Sum of the lower bounds of all stock blocks. */
    private long stockBytes() {
      long sum = (long) StockColumn.BYTES_PER_BLOCK * least.length;
      for (int bytes : least) {
        sum += bytes;
      }
      return sum;
    }

    /** Tries to prove that the stock blocks have at least {@code wanted} bytes, each its share. */
    private void bound(double wanted) {
      final double ofBlocks = wanted - StockColumn.BYTES_PER_BLOCK * least.length;
      try (ResourceHolder<Lz4Bound> bound = Lz4Bound.POOL.take();
           ResourceHolder<CompressionBuffers> buffers = CompressionBuffers.POOL.take()) {
        for (int i = 0; i < least.length; i++) {
          final int share = (int) Math.ceil(ofBlocks * length(i) / length);
          if (blocks[i] == null && least[i] < share) {
            least[i] = Math.max(least[i], bound.get().atLeast(payload(i, buffers.get()), share));
            if (least[i] < share) {
              return;
            }
          }
        }
      }
    }

    /** Whether the span is a single stock block that is already compressed. */
    private boolean isKnown() {
      return isStockBlock() && codec.knowsStockBlock(chunk.get(), order);
    }

    private boolean isStockBlock() {
      return blocks.length == 1 && stock.isPlain(chunk.get());
    }

    private void measure(int block) {
      if (blocks[block] != null) {
        return;
      }
      if (isStockBlock()) {
        blocks[block] = codec.stockBlock(chunk.get(), order);
        least[block] = blocks[block].length;
        return;
      }
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        final CompressionBuffers buffers = holder.get();
        final ByteBuffer payload = payload(block, buffers);
        codec.codec().compress(payload, buffers.compressed.clear(), Codec.Effort.STOCK);
        blocks[block] = new byte[buffers.compressed.flip().remaining()];
        buffers.compressed.get(blocks[block]);
        least[block] = blocks[block].length;
      }
    }

    private ByteBuffer payload(int block, CompressionBuffers buffers) {
      final ByteBuffer payload = buffers.payload.clear().order(order);
      stock.putBlock(chunk.get(), block * stock.valuesPerBlock(), length(block), payload);
      return payload.flip();
    }
  }

  /**
   * Creates a span of values that are stored next.
   *
   * @param chunk    supplier of the values
   * @param position position of the first value in the column
   * @param length   number of values
   * @param isLast   whether these are the last values of the column
   */
  public Span span(Supplier<C> chunk, long position, int length, boolean isLast) {
    return new Span(chunk, position, length, isLast);
  }
}
