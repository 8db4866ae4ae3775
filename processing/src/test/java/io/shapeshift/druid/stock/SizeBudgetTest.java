// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.BufferedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.select.ChunkSplitter;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.select.SelectionTrace;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RandomData.Seeded.class)
class SizeBudgetTest {
  private static final int LOG_BLOCK = 12;
  private static final int SPAN = Limits.MAX_PAYLOAD_BYTES;
  private static final ColumnOverhead OVERHEAD = new ColumnOverhead(11, 9, 4, 16, 2);

  /** The forms of the chunks, and how each was found to be allowed. */
  private record Stored(List<String> forms, List<SizeDecision> decisions) {}

  private static Stored store(OptimizationTarget target, int maxValue, int[]... spans) {
    final Stored stored = new Stored(new ArrayList<>(), new ArrayList<>());
    final FormSelector<IntChunk> selector = FormSelectors.forInts(target).traced(() -> new SelectionTrace() {
      @Override
      public void settles(long first, int count, SizeDecision decision) {
        stored.decisions.add(decision);
      }
    });
    final ChunkSplitter<IntChunk> splitter = new ChunkSplitter<>(
        selector, LOG_BLOCK, ByteOrder.LITTLE_ENDIAN, new StockInts(maxValue, SPAN), OVERHEAD);
    final BufferedInts buffered = new BufferedInts(SPAN);
    int position = 0;
    for (int i = 0; i < spans.length; i++) {
      Arrays.stream(spans[i]).forEach(value -> assertTrue(buffered.add(value)));
      splitter.encode(
          buffered, spans[i].length, i == spans.length - 1, (form, numBlocks, bytes) -> stored.forms.add(form.name()));
      buffered.release();
      position += spans[i].length;
      buffered.removeFirst(spans[i].length, position);
    }
    return stored;
  }

  /** Dense values are known to be dense without compressing them, once the codec has been measured on the column. */
  @Test
  void whatIsDenseIsProvenByTheBound(RandomData random) {
    final int[] values = new int[SPAN];
    Arrays.setAll(values, i -> random.nextInt(18));
    final Stored stored = store(OptimizationTarget.FASTER, 18, values, values);
    assertEquals(
        List.of(SizeDecision.Basis.MEASURED, SizeDecision.Basis.AT_LEAST),
        stored.decisions.stream().map(SizeDecision::basis).toList());
    assertTrue(stored.decisions.stream().allMatch(SizeDecision::kept));
    assertFalse(stored.forms.contains("lz4"));
  }

  /** A constant saves next to nothing of Druid's column, but enough for itself. */
  @Test
  void whatIsSmallerThanAnythingIsNotLookedAt() {
    final Stored stored = store(OptimizationTarget.FASTBUTSMALLISH, 18, new int[SPAN], new int[SPAN]);
    assertEquals(List.of("zero", "zero"), stored.forms);
    assertTrue(stored.decisions.stream().allMatch(SizeDecision::kept));
    assertEquals(
        SizeDecision.Basis.SAVED, stored.decisions.get(1).basis(), () -> stored.decisions.toString());
  }

  /** Values that repeat with noise: whatever is chosen, what it is compared with is what Druid's column takes. */
  @Test
  void whatRepeatsIsMeasured(RandomData random) {
    final int[] pattern = random.uniform(150, 4);
    final int[][] spans = new int[3][SPAN];
    for (int[] span : spans) {
      Arrays.setAll(span, i -> random.nextInt(25) == 0 ? random.nextInt(16) : pattern[i % pattern.length]);
    }
    final Stored stored = store(OptimizationTarget.FASTBUTSMALLISH, 16, spans);
    assertTrue(stored.decisions.stream().anyMatch(each -> each.basis() == SizeDecision.Basis.MEASURED));
    final long ours = stored.decisions.stream().filter(SizeDecision::kept).mapToLong(SizeDecision::bytes).sum();
    final long stock = stored.decisions.stream().filter(SizeDecision::kept).mapToLong(SizeDecision::stock).sum();
    assertTrue(ours + OVERHEAD.head() <= stock + 21, stored.decisions::toString);
  }

  /** Where Druid has wider values in shorter blocks, its own blocks are as many chunks. */
  @Test
  void stockBlocksAreWhatDruidHas(RandomData random) {
    final int[] values = new int[SPAN];
    final int[] pattern = random.uniform(40, 8);
    Arrays.setAll(values, i -> random.nextInt(200) == 0 ? random.nextInt(256) : pattern[i % pattern.length]);
    final SizeBudget<IntChunk> budget = FormSelectors.forInts(OptimizationTarget.FASTBUTSMALLISH)
        .newBudget(new StockInts(1 << 20, SPAN), OVERHEAD, 1 << LOG_BLOCK, ByteOrder.LITTLE_ENDIAN);
    final IntChunk chunk = new IntChunk(SPAN);
    Arrays.stream(values).forEach(chunk::add);
    final SizeBudget<IntChunk>.Span span = budget.span(() -> chunk, 0, SPAN, true);
    final List<byte[]> blocks = span.stockBlocks();
    assertEquals(4, blocks.size());
    final long bytes = blocks.stream().mapToLong(block -> block.length + 2).sum();
    final SizeDecision decision =
        span.offer(List.of(budget.codec(), budget.codec(), budget.codec(), budget.codec()), bytes);
    assertTrue(decision.kept(), decision::toString);
    assertEquals(bytes + 4 * 4 + 2 + 9, decision.bytes());
    assertEquals(bytes - 4 * 2 + 4 * 8, decision.stock());
    assertFalse(budget.span(() -> chunk, 0, SPAN, true).offer(List.of(budget.codec()), bytes + 1000).kept());
  }
}
