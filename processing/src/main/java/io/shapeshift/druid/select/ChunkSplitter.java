// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import com.google.common.annotations.VisibleForTesting;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.stock.ColumnOverhead;
import io.shapeshift.druid.stock.SizeBudget;
import io.shapeshift.druid.stock.SizeDecision;
import io.shapeshift.druid.stock.StockColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiPredicate;
import javax.annotation.Nullable;

/**
 * Splitter of a column's values into chunks, with a form for each. Chunks in directly read forms have
 * {@value #BLOCKS_PER_DIRECT_CHUNK} blocks, or one block each if that saves enough: see
 * {@link CostModel.Chunks#SPLIT_SAVES}. All buffered values become one chunk if they are equal, or if a codec beats the
 * sum of these chunks.
 *
 * <p>One splitter per column, because it keeps statistics of earlier chunks.
 *
 * @param <C> type of the chunks
 */
public final class ChunkSplitter<C extends Chunk> {
  /** Number of blocks in the largest directly read chunk. */
  private static final int BLOCKS_PER_DIRECT_CHUNK = 4;
  /** Size in bytes of a chunk's entry in the column's offsets. */
  private static final int OFFSET_SIZE = Integer.BYTES;

  private final FormSelector<C> selector;
  private final int valuesPerBlock;
  private final ByteOrder order;
  private final CodecHistory history = new CodecHistory();
  private final SpeedLimit<C> speedLimit;
  private final SelectionTrace trace;
  /** Null if the column has no size limit, because the stock codec is not among the selector's forms. */
  @Nullable
  private final SizeBudget<C> budget;
  /** Position in the column of the first buffered value. */
  private long position;

  /**
   * Creates a splitter.
   *
   * @param selector          selector of the forms
   * @param logValuesPerBlock base 2 logarithm of the number of values in a block
   * @param order             byte order of the column
   * @param stock             stock column, which limits the size of the column
   * @param overhead          bytes of the column outside of its chunks
   */
  public ChunkSplitter(
      FormSelector<C> selector,
      int logValuesPerBlock,
      ByteOrder order,
      StockColumn<C> stock,
      ColumnOverhead overhead
  ) {
    this(selector, logValuesPerBlock, order, selector.newBudget(stock, overhead, 1 << logValuesPerBlock, order));
  }

  /** Creates a splitter without a size limit, so that tests see the selection unchanged. */
  @VisibleForTesting
  ChunkSplitter(FormSelector<C> selector, int logValuesPerBlock, ByteOrder order) {
    this(selector, logValuesPerBlock, order, null);
  }

  private ChunkSplitter(
      FormSelector<C> selector,
      int logValuesPerBlock,
      ByteOrder order,
      @Nullable SizeBudget<C> budget
  ) {
    this.selector = selector;
    this.valuesPerBlock = 1 << logValuesPerBlock;
    this.order = order;
    this.speedLimit = selector.newSpeedLimit();
    this.trace = selector.newTrace();
    this.budget = budget;
  }

  /** Receiver of chunks, in order. */
  @FunctionalInterface
  public interface Sink<X extends Exception> {
    /**
     * Receives one encoded chunk.
     *
     * @param form      form of the chunk
     * @param numBlocks number of blocks in the chunk
     * @param bytes     encoded chunk, from position to limit; the sink must not keep the buffer
     */
    void accept(Form<?, ?> form, int numBlocks, ByteBuffer bytes) throws X;
  }

  /**
   * Encodes the first {@code length} buffered values. The caller releases the chunks borrowed from {@code values}.
   *
   * @param length number of values; a multiple of the stock column's block, except for the last values of a column
   * @param isLast whether these are the last values of the column
   */
  public <X extends Exception> void encode(BufferedValues<C> values, int length, boolean isLast, Sink<X> sink)
      throws X {
    final List<Part<C>> parts = choose(values, length);
    if (budget == null) {
      encode(parts, values, sink);
    } else {
      settle(parts, values, budget.span(() -> values.chunk(0, length), position, length, isLast), sink);
    }
    position += length;
  }

  /** Stores the parts; or stock blocks, if the column could otherwise exceed its size limit. */
  private <X extends Exception> void settle(
      List<Part<C>> parts,
      BufferedValues<C> values,
      SizeBudget<C>.Span span,
      Sink<X> sink
  ) throws X {
    final Form<C, ?> first = parts.get(0).choice.form();
    if (first instanceof CodecForm<?, ?>) {
      settle(first, values.chunk(0, parts.get(0).length), span, sink);
      return;
    }
    final List<Form<C, ?>> forms = new ArrayList<>();
    long bytes = 0;
    for (Part<C> part : parts) {
      forms.add(part.choice.form());
      bytes += part.choice.bytes();
    }
    if (keeps(span, forms, bytes)) {
      encode(parts, values, sink);
    } else {
      final Part<C> last = parts.get(parts.size() - 1);
      settle(budget.codec(), values.chunk(0, last.start + last.length), span, sink);
    }
  }

  private <X extends Exception> void settle(Form<C, ?> codec, C chunk, SizeBudget<C>.Span span, Sink<X> sink)
      throws X {
    if (budget.isStock(chunk, codec)) {
      encodeStock(span, sink);
      return;
    }
    ChunkEncoder.encode(codec, chunk, order, bytes -> {
      if (keeps(span, List.of(codec), bytes.remaining())) {
        emit(codec, 0, chunk.size(), bytes, sink);
      } else {
        encodeStock(span, sink);
      }
    });
  }

  private boolean keeps(SizeBudget<C>.Span span, List<Form<C, ?>> forms, long bytes) {
    final SizeDecision decision = span.offer(forms, bytes);
    trace.settles(position, span.length(), decision);
    if (decision.kept()) {
      span.take(forms, bytes);
    }
    return decision.kept();
  }

  /** Stores stock blocks. */
  private <X extends Exception> void encodeStock(SizeBudget<C>.Span span, Sink<X> sink) throws X {
    final List<byte[]> blocks = span.stockBlocks();
    final List<ByteBuffer> chunks = new ArrayList<>();
    long bytes = 0;
    for (byte[] block : blocks) {
      final ByteBuffer out = ByteBuffer.allocate(block.length + Limits.MAX_CODEC_HEADER).order(order);
      budget.codec().encodeStock(block, out);
      chunks.add(out.flip());
      bytes += out.remaining();
    }
    if (!keeps(span, Collections.nCopies(chunks.size(), budget.codec()), bytes)) {
      throw new IllegalStateException("Druid's own blocks are larger than Druid's own column");
    }
    int start = 0;
    for (int i = 0; i < chunks.size(); i++) {
      emit(budget.codec(), start, span.length(i), chunks.get(i), sink);
      start += span.length(i);
    }
  }

  /** Chooses chunks for the first {@code length} buffered values. */
  private List<Part<C>> choose(BufferedValues<C> values, int length) {
    final List<Part<C>> direct = new ArrayList<>();
    final BiPredicate<Form<C, ?>, C> isTooSlow =
        (form, chunk) -> speedLimit.isExceeded(form, chunk, () -> values.chunk(0, length));
    if (selector.hasDirectForms()) {
      for (int start = 0; start < length; start += BLOCKS_PER_DIRECT_CHUNK * valuesPerBlock) {
        split(values, start, Math.min(length - start, BLOCKS_PER_DIRECT_CHUNK * valuesPerBlock), isTooSlow, direct);
      }
    }
    if (direct.size() > 1 && direct.stream().allMatch(part -> part.choice.isUnbeatable())) {
      final Choice<C> whole = chooseDirect(values, 0, length, isTooSlow);
      if (whole.isUnbeatable()) {
        doesNotTryCodecs(length, whole.weight(), SelectionTrace.Untried.UNBEATABLE);
        return List.of(new Part<>(0, length, whole));
      }
    }
    if (!selector.codecs().isEmpty() || direct.isEmpty()) {
      final Choice<C> codec = chooseCodec(values, length, isTooSlow, direct);
      if (codec.form() != null || direct.isEmpty()) {
        return List.of(new Part<>(0, length, codec));
      }
    }
    return direct;
  }

  private record Part<C extends Chunk>(int start, int length, Choice<C> choice) {}

  private Choice<C> chooseDirect(
      BufferedValues<C> values,
      int start,
      int length,
      BiPredicate<Form<C, ?>, C> isTooSlow
  ) {
    trace.asks(position + start, length);
    return selector.chooseDirect(values.chunk(start, length), order, isTooSlow, trace);
  }

  /** Adds one chunk, or one chunk per block if these are enough smaller. */
  private void split(
      BufferedValues<C> values,
      int start,
      int length,
      BiPredicate<Form<C, ?>, C> isTooSlow,
      List<Part<C>> parts
  ) {
    final boolean isWhole = length == BLOCKS_PER_DIRECT_CHUNK * valuesPerBlock || length <= valuesPerBlock;
    final Choice<C> whole =
        isWhole ? chooseDirect(values, start, length, isTooSlow) : Choice.none();
    if (length <= valuesPerBlock) {
      parts.add(new Part<>(start, length, whole));
      return;
    }
    final double most = whole.weight() * CostModel.Chunks.SPLIT_SAVES;
    if (isWhole && !selector.varies(values.chunk(start, length), valuesPerBlock)) {
      parts.add(new Part<>(start, length, whole));
      divided(start, length, SelectionTrace.Division.ALIKE, whole.weight(), Double.POSITIVE_INFINITY, most);
      return;
    }
    final List<Part<C>> blocks = new ArrayList<>();
    double weight = 0;
    for (int at = start; at < start + length; at += valuesPerBlock) {
      final int count = Math.min(valuesPerBlock, start + length - at);
      final Choice<C> choice = chooseDirect(values, at, count, isTooSlow);
      weight += choice.weight() + OFFSET_SIZE;
      blocks.add(new Part<>(at, count, choice));
    }
    if (weight < most) {
      parts.addAll(blocks);
      divided(start, length, SelectionTrace.Division.BLOCKS, whole.weight(), weight, most);
    } else {
      parts.add(new Part<>(start, length, whole));
      divided(start, length, SelectionTrace.Division.WHOLE, whole.weight(), weight, most);
    }
  }

  private void divided(
      int start,
      int length,
      SelectionTrace.Division division,
      double whole,
      double blocks,
      double most
  ) {
    trace.divided(position + start, length, division, whole, blocks, most);
  }

  private Choice<C> chooseCodec(
      BufferedValues<C> values,
      int length,
      BiPredicate<Form<C, ?>, C> isTooSlow,
      List<Part<C>> direct
  ) {
    double bytes = 0;
    double weight = 0;
    for (Part<C> part : direct) {
      bytes += part.choice.bytes() + OFFSET_SIZE;
      weight += part.choice.weight() + OFFSET_SIZE;
    }
    bytes -= OFFSET_SIZE;
    weight -= OFFSET_SIZE;
    if (direct.isEmpty() || Double.isInfinite(weight)) {
      bytes = Double.POSITIVE_INFINITY;
      weight = Double.POSITIVE_INFINITY;
    } else if (weight <= CostModel.Codecs.LEAST_TO_COMPRESS) {
      doesNotTryCodecs(length, weight, SelectionTrace.Untried.TOO_LITTLE);
      return Choice.none();
    } else if (history.wouldTryInVain(bytes / length)) {
      doesNotTryCodecs(length, weight, SelectionTrace.Untried.IN_VAIN);
      return Choice.none();
    }
    trace.triesCodecs(position, length, bytes, weight);
    final Choice<C> codec =
        selector.chooseCodec(values.chunk(0, length), bytes, weight, isTooSlow, history, trace);
    history.tried(codec.form() == null, bytes / length);
    return codec;
  }

  private void doesNotTryCodecs(int length, double directWeight, SelectionTrace.Untried reason) {
    trace.doesNotTryCodecs(position, length, directWeight, reason, selector.codecs());
  }

  private <X extends Exception> void encode(List<Part<C>> parts, BufferedValues<C> values, Sink<X> sink) throws X {
    for (Part<C> part : parts) {
      ChunkEncoder.encode(part.choice, values.chunk(part.start, part.length), order,
          bytes -> emit(part.choice.form(), part.start, part.length, bytes, sink));
    }
  }

  private <X extends Exception> void emit(Form<C, ?> form, int start, int length, ByteBuffer bytes, Sink<X> sink)
      throws X {
    trace.encoded(position + start, length, form, bytes.remaining());
    sink.accept(form, (length + valuesPerBlock - 1) / valuesPerBlock, bytes);
  }
}
