// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.druid.collections.ResourceHolder;

/**
 * Keeps the promise that a column takes no more bytes than Druid's own column of the same values, times what the target
 * allows: 1 of LZ4 under {@code fastbutsmallish}, 1.1 of LZ4 under {@code faster}, 1.02 of Zstandard under
 * {@code smaller}. It holds for every column, and not only for those on which it was tried:
 *
 * <ol>
 *   <li>The budget's balance is the allowed factor, times bytes that Druid's column of the values so far takes at
 *       least, less the bytes of ours, all overhead included. A column whose balance is never negative keeps the
 *       promise.
 *   <li>It starts with the heads of both columns. Ours takes 11 bytes, and 9 for the first form; Druid's 20 or 21. So
 *       the balance is 0 or more once the entry of the codec is taken off as well, which stays reserved until the codec
 *       is used or the last values are there.
 *   <li>The buffered values are whole blocks of Druid's column, of which only the last one is shorter: buffers end at
 *       the borders of the largest chunk that their width allows, and Druid's width is no less. So bytes that each of
 *       these blocks takes at least add up to such of the column.
 *   <li>What selection chose is stored if the balance is not negative then. Otherwise Druid's own blocks are, byte for
 *       byte: the same bytes, compressed by the same compressor at the same level. For each block that takes 2 bytes
 *       for the chunk's head, 4 for its offset, and up to 2 for a group that begins with it; Druid has 8. So it never
 *       makes the balance less than it was, and it is always possible.
 * </ol>
 *
 * What a block takes at least is known by whichever is enough, the cheapest first: what any block of this size takes;
 * for LZ4, {@link Lz4Bound}; and what it does take, by compressing it as Druid does. That comes first where selection
 * has compressed the block already, and the bound is left out for a while where it proved far too little. Chunks may so
 * owe what others have saved: where ours are half as large, every other block need not be looked at. None of this is an
 * estimate. What is learned from earlier chunks ({@code CodecHistory}) says which forms are preferred, and nothing
 * here.
 *
 * <p>Chunks smaller than Druid's blocks, as {@code blockSize} has them if asked to, are compared with blocks of that
 * size. Of numbers, those that stand under nulls are compared as they are stored: {@link
 * io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer#addNull} says which they are.
 *
 * @param <C> the chunks
 */
public final class SizeBudget<C extends Chunk> {
  /** The bytes of the shortest frame of Zstandard: magic number, descriptor, size, and head of one block. */
  private static final int LEAST_ZSTD_BYTES = 4 + 1 + 1 + 3;

  private final StockColumn<C> stock;
  private final StockCodecForm<C, ?> codec;
  private final double allowed;
  private final ColumnOverhead overhead;
  private final int valuesPerBlock;
  private final ByteOrder order;
  /** Ids of the forms that the column has. */
  private final BitSet forms = new BitSet();
  private double balance;
  /** How many spans are still to be measured at once. */
  private int spansWithoutBound;

  /**
   * Makes the budget of a column without values.
   *
   * @param stock          Druid's own column
   * @param codec          what compresses it
   * @param allowed        how much larger ours may be, as a factor
   * @param overhead       bytes of our column besides its chunks
   * @param valuesPerBlock values of a block of ours
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

  /** What compresses Druid's own column. */
  public StockCodecForm<C, ?> codec() {
    return codec;
  }

  /** Whether a chunk in the plain form of the codec is Druid's own block. */
  public boolean isStock(C chunk, Form<C, ?> form) {
    return form == codec && stock.isPlain(chunk) && codec.prefersPlain(chunk);
  }

  /** Some values of the column, to be stored next. */
  public final class Span {
    private final Supplier<C> chunk;
    private final int length;
    private final boolean isLast;
    private final int groupBytes;
    /** For each of Druid's blocks what it takes at least, compressed. */
    private final int[] least;
    /** Those that were compressed; null where that was not needed. */
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
     * Whether the balance is proven not to be negative once the values are stored so.
     *
     * @param used  the form of each chunk
     * @param bytes of all chunks
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
      if (stockBytes() < wanted && codec.codec() == Codec.LZ4 && spansWithoutBound == 0) {
        basis = SizeDecision.Basis.AT_LEAST;
        bound(wanted);
        spansWithoutBound = stockBytes() < CostModel.Stock.FAR * wanted ? CostModel.Stock.SPANS_PER_FAR_BOUND : 0;
      } else if (stockBytes() < wanted) {
        spansWithoutBound = Math.max(0, spansWithoutBound - 1);
      }
      if (stockBytes() < wanted) {
        basis = SizeDecision.Basis.MEASURED;
        for (int i = 0; i < blocks.length && stockBytes() < wanted; i++) {
          measure(i);
        }
      }
      return new SizeDecision(basis, cost, stockBytes(), allowed, balance, stockBytes() >= wanted);
    }

    /** Takes off chunks that are stored. */
    public void take(Collection<? extends Form<C, ?>> used, long bytes) {
      balance += allowed * stockBytes() - cost(used, bytes);
      used.forEach(form -> forms.set(form.id()));
    }

    /** Druid's own blocks. */
    public List<byte[]> stockBlocks() {
      for (int i = 0; i < blocks.length; i++) {
        measure(i);
      }
      return List.of(blocks);
    }

    /** How many values there are. */
    public int length() {
      return length;
    }

    /** The values of one of them. */
    public int length(int block) {
      return Math.min(stock.valuesPerBlock(), length - block * stock.valuesPerBlock());
    }

    private long cost(Collection<? extends Form<C, ?>> used, long bytes) {
      final long newForms = used.stream().mapToInt(Form::id).distinct().filter(id -> !forms.get(id)).count();
      return bytes + groupBytes + (long) used.size() * overhead.perChunk() + newForms * overhead.perForm();
    }

    /** What is known of all blocks of Druid's column. */
    private long stockBytes() {
      long sum = (long) StockColumn.BYTES_PER_BLOCK * least.length;
      for (int bytes : least) {
        sum += bytes;
      }
      return sum;
    }

    /** Tries to prove that Druid's blocks take at least {@code bytes}, each its share. */
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

    /** Whether the values are one block, as Druid has it, that was compressed already. */
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
   * Values to be stored next.
   *
   * @param chunk    all of them
   * @param position of the first in the column
   * @param length   how many
   * @param isLast   whether none follow
   */
  public Span span(Supplier<C> chunk, long position, int length, boolean isLast) {
    return new Span(chunk, position, length, isLast);
  }
}
