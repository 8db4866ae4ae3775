// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import javax.annotation.Nullable;

/**
 * Codec that a selector may choose.
 *
 * @param candidate the codec as a form with its weight
 * @param form      the codec
 * @param allowed   maximum ratio of the size of directly read chunks to the size of the stock column with this codec;
 *     above it the codec is forced
 */
record CodecCandidate<C extends Chunk>(Candidate<C> candidate, CodecForm<C, ?> form, double allowed) {
  CodecTrial tryOn(
      C chunk,
      double directBytes,
      double directWeight,
      double bestWeight,
      CodecHistory history
  ) {
    final double limit = (directWeight - chunk.size() * candidate.perValue()) / candidate.factor();
    final double stock = directBytes / allowed;
    if (form.estimate(chunk).kind() == Estimate.Kind.SKIP) {
      return new CodecTrial(
          form, CodecTrial.Verdict.SKIPPED, null, Double.POSITIVE_INFINITY, limit, allowed, stock, null);
    }
    final CodecForm.Trial quick = form.tryQuickly(chunk);
    final double weight = candidate.weight(quick.best(), chunk.size());
    CodecTrial.Verdict verdict = CodecTrial.Verdict.HEAVIER;
    @Nullable CodecTrial.Thorough best = null;
    if (weight >= bestWeight) {
      verdict = CodecTrial.Verdict.BEHIND_ANOTHER;
    } else if (quick.best() < limit) {
      verdict = CodecTrial.Verdict.LIGHTER;
    } else if (quick.plain() < stock) {
      // Otherwise the size budget would reject the chunks later.
      verdict = CodecTrial.Verdict.STOCK_IS_SMALLER;
    } else {
      best = history.best(form).compare(limit, quick.best(), () -> form.bestSize(chunk));
      if (best.smaller()) {
        verdict = CodecTrial.Verdict.LIGHTER;
      }
    }
    return new CodecTrial(form, verdict, quick, weight, limit, allowed, stock, best);
  }
}
