// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.select.CodecTrial;
import io.shapeshift.druid.select.SelectionTrace;
import io.shapeshift.druid.stock.SizeDecision;
import io.shapeshift.druid.tool.analysis.Explanation.Candidate;
import io.shapeshift.druid.tool.analysis.Explanation.CodecComparison;
import io.shapeshift.druid.tool.analysis.Explanation.Decision;
import io.shapeshift.druid.tool.analysis.Explanation.Outcome;
import io.shapeshift.druid.tool.analysis.Explanation.Question;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.encoding.Piece;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.annotation.Nullable;

/** Recorder of the decisions of selection in one piece of a row part, which also puts them into words. */
final class DecisionRecorder implements SelectionTrace {
  static final String TOO_SLOW = "scanned more slowly than Druid's own column";

  private static final String ONE_CHUNK = "one chunk";
  private static final String BLOCKS = "blocks";
  private static final String DIRECT = "read directly";
  private static final String CHOSEN = "chosen";
  private static final String STOCK = "Druid's";

  private record Chunk(long firstValue, int numValues, String form, int bytes) {}

  /** Decision whose candidates are being reported. */
  private record Open(Question question, long first, int count, List<Candidate> candidates) {}

  private final List<Decision> decisions = new ArrayList<>();
  private final List<Chunk> chunks = new ArrayList<>();
  private final Set<Form<?, ?>> forms = new LinkedHashSet<>();
  @Nullable
  private Open open;

  private void open(Question question, long first, int count) {
    open = new Open(question, first, count, new ArrayList<>());
  }

  private void close(String answer) {
    decisions.add(new Decision("", open.question, open.first, open.count, answer, open.candidates));
    open = null;
  }


  @Override
  public void asks(long first, int count) {
    open(Question.FORM, first, count);
  }

  @Override
  public void answered(Form<?, ?> form, Answer answer, int bytes, double weight) {
    forms.add(form);
    final Outcome outcome = switch (answer) {
      case EXACT, TOO_SLOW, UNBEATABLE -> Outcome.POSSIBLE;
      case SKIPPED -> Outcome.SKIPPED;
      case NOT_ASKED -> Outcome.NOT_ASKED;
      case NOT_USED -> Outcome.NOT_USED;
    };
    open.candidates.add(new Candidate(
        form.name(),
        outcome,
        outcome == Outcome.POSSIBLE ? (long) bytes : null,
        finite(weight),
        null,
        switch (answer) {
          case UNBEATABLE -> "unbeatable";
          case TOO_SLOW -> TOO_SLOW;
          default -> "";
        }
    ));
  }

  @Override
  public void chose(@Nullable Form<?, ?> form) {
    if (form == null) {
      close(open.question == Question.FORM ? "none" : DIRECT);
    } else {
      close(form.name());
    }
  }


  @Override
  public void divided(long first, int count, Division division, double whole, double blocks, double most) {
    open(Question.BLOCKS, first, count);
    open.candidates.add(new Candidate(
        ONE_CHUNK,
        Double.isInfinite(whole) ? Outcome.SKIPPED : Outcome.POSSIBLE,
        null,
        finite(whole),
        null,
        Double.isInfinite(whole) ? "too few values" : ""
    ));
    open.candidates.add(new Candidate(
        BLOCKS,
        division == Division.ALIKE ? Outcome.NOT_ASKED : Outcome.POSSIBLE,
        null,
        finite(blocks),
        null,
        switch (division) {
          case ALIKE -> "the blocks look alike";
          case WHOLE -> "not below " + Numbers.text(Math.round(most));
          case BLOCKS -> Double.isInfinite(most) ? "" : "below " + Numbers.text(Math.round(most));
        }
    ));
    close(division == Division.BLOCKS ? BLOCKS : ONE_CHUNK);
  }


  @Override
  public void triesCodecs(long first, int count, double directBytes, double directWeight) {
    open(Question.CODEC, first, count);
    final boolean isPossible = !Double.isInfinite(directWeight);
    open.candidates.add(new Candidate(
        DIRECT,
        isPossible ? Outcome.POSSIBLE : Outcome.SKIPPED,
        isPossible ? (long) directBytes : null,
        finite(directWeight),
        null,
        ""
    ));
  }

  @Override
  public void doesNotTryCodecs(
      long first,
      int count,
      double directWeight,
      Untried reason,
      List<? extends Form<?, ?>> codecs
  ) {
    open(Question.CODEC, first, count);
    open.candidates.add(new Candidate(DIRECT, Outcome.POSSIBLE, null, directWeight, null, ""));
    final String why = switch (reason) {
      case UNBEATABLE -> "nothing beats one chunk of all of them";
      case TOO_LITTLE -> "too little to compress";
      case IN_VAIN -> "in vain on values like these not long ago";
    };
    for (Form<?, ?> codec : codecs) {
      forms.add(codec);
      open.candidates.add(new Candidate(codec.name(), Outcome.NOT_ASKED, null, null, null, why));
    }
    close(DIRECT);
  }

  @Override
  public void tried(CodecTrial trial) {
    forms.add(trial.form());
    final boolean isPossible = trial.quick() != null;
    open.candidates.add(new Candidate(
        trial.form().name(),
        isPossible ? Outcome.POSSIBLE : Outcome.SKIPPED,
        isPossible ? (long) trial.quick().best() : null,
        finite(trial.weight()),
        isPossible ? comparison(trial) : null,
        reason(trial)
    ));
  }

  private static CodecComparison comparison(CodecTrial trial) {
    return new CodecComparison(
        finite(trial.limit()),
        trial.best() == null ? null : trial.best().bytes(),
        trial.best() == null ? null : basis(trial.best()),
        finite(trial.allowed()),
        Double.isInfinite(trial.allowed()) ? null : finite(trial.stock()),
        trial.quick().plain()
    );
  }

  private static String basis(CodecTrial.Thorough thorough) {
    return thorough.basis().name().toLowerCase(Locale.ROOT);
  }

  private static String reason(CodecTrial trial) {
    return switch (trial.verdict()) {
      case SKIPPED -> "";
      case TOO_SLOW -> TOO_SLOW;
      case BEHIND_ANOTHER -> "another codec is better";
      case LIGHTER -> "less weight: " + size(trial.quick().best(), trial.best(), trial.limit());
      case STOCK_IS_SMALLER -> "Druid's own column would be smaller: "
          + size(trial.quick().plain(), null, trial.stock()) + allowance(trial.allowed());
      case HEAVIER -> "more weight: " + size(trial.quick().best(), trial.best(), trial.limit());
    };
  }

  private static String allowance(double allowed) {
    return allowed == 1
           ? ""
           : String.format(Locale.ROOT, ", of which %s times as much is allowed", Numbers.text(allowed));
  }

  /** Describes the deciding size, its source, and the limit. */
  private static String size(int quick, @Nullable CodecTrial.Thorough thorough, double limit) {
    final boolean isSmaller = thorough == null ? quick < limit : thorough.smaller();
    final String known = thorough == null ? Numbers.text(quick) + " bytes, quickly" : switch (thorough.basis()) {
      case ESTIMATED -> "estimated " + Numbers.text(Math.round(thorough.bytes())) + " bytes";
      case MEASURED -> "measured " + Numbers.text(Math.round(thorough.bytes())) + " bytes";
    };
    return known + (Double.isInfinite(limit)
                    ? ""
                    : (isSmaller ? ", below " : ", not below ") + Numbers.text(Math.round(limit)));
  }


  @Override
  public void settles(long first, int count, SizeDecision decision) {
    open(Question.SIZE, first, count);
    final long bytes = decision.bytes();
    open.candidates.add(new Candidate(CHOSEN, Outcome.POSSIBLE, bytes, (double) bytes, null, ""));
    final String known = switch (decision.basis()) {
      case SAVED -> "at least, without a look";
      case AT_LEAST -> "at least, by a bound";
      case MEASURED -> "at least, measured";
    };
    open.candidates.add(new Candidate(
        STOCK,
        Outcome.POSSIBLE,
        decision.stock(),
        (double) decision.stock(),
        null,
        known + allowance(decision.allowed()) + "; " + Numbers.text((long) decision.saved())
            + " bytes were saved"
    ));
    close(decision.kept() ? CHOSEN : STOCK);
  }


  @Override
  public void encoded(long first, int count, Form<?, ?> form, int bytes) {
    // Stock blocks may replace the chosen chunks although they were not candidates.
    forms.add(form);
    chunks.add(new Chunk(first, count, form.name(), bytes));
  }

  /**
   * Checks that the chunks of a piece are those that were reported.
   *
   * @throws IllegalStateException if one differs
   */
  void checkChunks(String column, Piece<?> piece) {
    final List<Chunk> stored = new ArrayList<>();
    for (ChunkInfo info : piece.data().chunks()) {
      stored.add(new Chunk(info.firstValue(), info.numValues(), piece.form(info), info.bytes()));
    }
    for (int i = 0; i < Math.max(stored.size(), chunks.size()); i++) {
      final String first = i < stored.size() ? stored.get(i).toString() : "none";
      final String again = i < chunks.size() ? chunks.get(i).toString() : "none";
      if (!first.equals(again)) {
        throw new IllegalStateException("Column[" + column + "]: chunk " + i + " of the " + piece.name() + " is "
            + first + ", but " + again + " if it is encoded again");
      }
    }
  }

  /** All decisions, in order. */
  List<Decision> decisions(String part) {
    return decisions.stream().map(each -> new Decision(
        part, each.question(), each.firstValue(), each.numValues(), each.answer(), each.candidates())).toList();
  }

  /** Reported forms, in the order of their first estimate. */
  Set<Form<?, ?>> forms() {
    return forms;
  }

  @Nullable
  private static Double finite(double number) {
    return Double.isInfinite(number) ? null : number;
  }
}
