// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.postings.PostingChunk;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import java.util.List;

/** Factory of selectors among the registered forms of ints, numbers and posting lists, or among some of them. */
public final class FormSelectors {
  private FormSelectors() {}

  /** Creates a selector for ints. */
  public static FormSelector<IntChunk> forInts(OptimizationTarget target) {
    return new FormSelector<>(
        IntForms.of(IntForm.Use.IDS), target, false, IntChunk::varies,
        target == OptimizationTarget.SMALLER ? SpeedLimit::none : SpeedLimit::ofSparseReads);
  }

  /**
   * Creates a selector among some forms of ints, to force a form or to measure without one.
   *
   * @param forms forms in the order of their estimates; not empty
   */
  public static FormSelector<IntChunk> forInts(List<? extends IntForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, false, IntChunk::varies, SpeedLimit::none);
  }

  /** Creates a selector for numbers of a type. */
  public static FormSelector<NumberChunk> forNumbers(NumberType type, OptimizationTarget target) {
    return new FormSelector<>(
        NumberForms.of(type), target, true, NumberForms::varies,
        target == OptimizationTarget.SMALLER ? SpeedLimit::none : () -> SpeedLimit.ofScans(type));
  }

  /**
   * Creates a selector among some forms of numbers, to force a form or to measure without one.
   *
   * @param forms forms in the order of their estimates; not empty
   */
  public static FormSelector<NumberChunk> forNumbers(List<? extends NumberForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, true, NumberForms::varies, SpeedLimit::none);
  }

  /** Creates a selector for posting lists. */
  public static FormSelector<PostingChunk> forPostings(OptimizationTarget target) {
    return forPostings(PostingForms.all(), target);
  }

  /** Creates a selector among some forms of posting lists, to force a form. */
  public static FormSelector<PostingChunk> forPostings(List<? extends PostingForm> forms, OptimizationTarget target) {
    return new FormSelector<>(forms, target, false, (chunk, length) -> false, SpeedLimit::none);
  }
}
