// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.tool.analysis.Explanation.Candidate;
import io.shapeshift.druid.tool.analysis.Explanation.ChunkExplanation;
import io.shapeshift.druid.tool.analysis.Explanation.Decision;
import io.shapeshift.druid.tool.analysis.Explanation.FormExplanation;
import io.shapeshift.druid.tool.analysis.Explanation.Outcome;
import io.shapeshift.druid.tool.analysis.Explanation.Question;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.Nullable;

/** Sums over the decisions in a column, for one form. */
final class FormTally {
  private int wonChunks;
  private long wonBytes;
  private int asked;
  private int notAsked;
  private int possible;
  /** Number of possible runs for which the form was left out because it is scanned too slowly. */
  private int tooSlow;
  private int best;
  private long bytes;
  private double weight;
  private double weightOfBest;
  /** {@code weight} and {@code weightOfBest} of the runs for which weights decided. */
  private double compared;
  private double comparedToBest;
  private boolean isCodec;
  private String whyNotAsked = "an unbeatable form came before it";

  private FormTally() {}

  /**
   * Creates the explanation of each form.
   *
   * @param costs         cost of decoding by name of the form
   * @param countsNumbers whether the cost includes bytes per number
   */
  static List<FormExplanation> of(
      Map<String, DecodeCost.Weight> costs,
      boolean countsNumbers,
      List<Decision> decisions,
      List<ChunkExplanation> chunks
  ) {
    final Map<String, FormTally> tallies = new LinkedHashMap<>();
    costs.keySet().forEach(form -> tallies.put(form, new FormTally()));
    for (Decision decision : decisions) {
      if (decision.question() != Question.BLOCKS) {
        @Nullable final Candidate toBeat = decision.candidates().stream()
            .filter(each -> decision.question() == Question.CODEC || each.name().equals(decision.answer()))
            .findFirst()
            .orElse(null);
        decision.candidates().stream()
            .filter(candidate -> tallies.containsKey(candidate.name()))
            .forEach(candidate -> tallies.get(candidate.name()).add(decision, candidate, toBeat));
      }
    }
    for (ChunkExplanation chunk : chunks) {
      final FormTally winner = tallies.get(chunk.form());
      winner.wonChunks++;
      winner.wonBytes += chunk.bytes();
    }
    return tallies.entrySet().stream()
        .map(tally -> tally.getValue().explanation(
            tally.getKey(), costs.get(tally.getKey()), countsNumbers, chunks.size()))
        .toList();
  }

  private void add(Decision decision, Candidate candidate, @Nullable Candidate toBeat) {
    isCodec |= decision.question() == Question.CODEC;
    if (candidate.outcome() == Outcome.NOT_ASKED) {
      notAsked++;
      whyNotAsked = candidate.reason().isEmpty() ? whyNotAsked : candidate.reason();
    } else if (candidate.outcome() != Outcome.NOT_USED) {
      asked++;
    }
    if (candidate.outcome() == Outcome.POSSIBLE) {
      possible++;
      best += candidate.name().equals(decision.answer()) ? 1 : 0;
      bytes += candidate.bytes();
      final double weightToBeat =
          toBeat == null || toBeat.weight() == null ? candidate.weight() : toBeat.weight();
      weight += candidate.weight();
      weightOfBest += weightToBeat;
      if (candidate.reason().equals(DecisionRecorder.TOO_SLOW)) {
        tooSlow++;
      } else {
        compared += candidate.weight();
        comparedToBest += weightToBeat;
      }
    }
  }

  private FormExplanation explanation(
      String form,
      DecodeCost.Weight cost,
      boolean countsNumbers,
      int allChunks
  ) {
    final boolean isUsed = cost.factor() != DecodeCost.NEVER;
    return new FormExplanation(
        form,
        isUsed ? cost.factor() : null,
        countsNumbers ? cost.perNumber() : 0,
        wonChunks,
        wonBytes,
        asked,
        possible,
        best,
        bytes,
        weight,
        weightOfBest,
        isUsed || wonChunks > 0 ? reason(allChunks) : "not used under this target: it reads too slowly"
    );
  }

  private String reason(int allChunks) {
    if (asked == 0 && wonChunks > 0) {
      return String.format(
          Locale.ROOT,
          "stores %d of %d chunks, in which what was chosen would make the column larger than Druid's own",
          wonChunks,
          allChunks
      );
    }
    if (wonChunks == allChunks) {
      return "wins every chunk";
    }
    if (asked == 0) {
      return "never asked: " + whyNotAsked;
    }
    if (possible == 0) {
      return "cannot store any of the values that it was asked for";
    }
    final String slow = tooSlow == 0 ? "" : DecisionRecorder.TOO_SLOW + " in " + tooSlow + " of " + possible;
    if (tooSlow == possible) {
      return "loses: " + slow;
    }
    final String weighs = String.format(
        Locale.ROOT,
        "%s%.3f times the weight of %s",
        slow.isEmpty() ? "" : slow + ", and otherwise ",
        compared / comparedToBest,
        isCodec ? "the forms that are read directly" : "the lightest"
    );
    final String where = notAsked > 0 && isCodec
                         ? " in " + possible + " of " + (asked + notAsked) + " trials, saved the others: " + whyNotAsked
                         : possible < asked + notAsked
                           ? " in the " + possible + " of " + (asked + notAsked) + " runs of values that it could store"
                           : "";
    if (wonChunks > 0) {
      return String.format(Locale.ROOT, "wins %d of %d chunks; %s%s", wonChunks, allChunks, weighs, where);
    }
    if (best > 0) {
      return String.format(
          Locale.ROOT, "the lightest in %d of %d runs of values, but other chunks were made; %s", best, asked, weighs);
    }
    return "loses: " + weighs + where;
  }
}
