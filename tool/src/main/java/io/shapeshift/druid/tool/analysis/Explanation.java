// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.Piece;
import io.shapeshift.druid.tool.encoding.PieceValues;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Explanation of a column's forms: the decisions of selection while the column was encoded, and their reasons.
 *
 * @param target    optimization target
 * @param forms     explanation of each form, in the order of their estimates
 * @param decisions all decisions, in order
 * @param chunks    resulting chunks
 */
public record Explanation(
    String target,
    List<FormExplanation> forms,
    List<Decision> decisions,
    List<ChunkExplanation> chunks
) {
  /**
   * Performance of a form in the column. Selection compares weights: bytes times {@code factor}, plus {@code perNumber}
   * bytes per number.
   *
   * @param form        name of the form
   * @param factor      factor of its bytes under the target; absent if the target does not use the form
   * @param perNumber   additional bytes per number; 0 for ids
   * @param wonChunks   number of chunks for which it was chosen
   * @param wonBytes    size of these chunks
   * @param asked       number of its estimates for runs of values; for codecs, number of trials
   * @param possible    number of runs that it could store
   * @param best        number of runs for which it was the best
   * @param bytes       size of these runs in this form; for codecs, of the quick variant
   * @param weight      weight of this size
   * @param weightOfBest weight of the same runs in their best forms; for codecs, in directly read forms
   * @param reason      reason why it won or lost, in words
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FormExplanation(
      String form,
      @Nullable Double factor,
      double perNumber,
      int wonChunks,
      long wonBytes,
      int asked,
      int possible,
      int best,
      long bytes,
      double weight,
      double weightOfBest,
      String reason
  ) {}

  /** Kinds of decisions. */
  public enum Question {
    /** Which directly read form is best for a run of values. */
    FORM,
    /** Whether a run of values becomes one chunk, or one chunk per block. */
    BLOCKS,
    /** Whether a codec is better for all buffered values than the directly read chunks. */
    CODEC,
    /** Whether the chosen chunks can be stored under the column's size limit. */
    SIZE
  }

  /**
   * Decision about a run of values.
   *
   * @param part       piece of the rows; see {@link Piece#name}
   * @param question   kind of the decision
   * @param firstValue position in the part of the first value
   * @param numValues  number of values
   * @param answer     best form or codec; "one chunk" or "blocks"; "chosen" if the chosen chunks can be stored, or
   *     "Druid's"; otherwise the reason why there is none
   * @param candidates alternatives
   */
  public record Decision(
      String part,
      Question question,
      long firstValue,
      int numValues,
      String answer,
      List<Candidate> candidates
  ) {}

  /** Result of a candidate. */
  public enum Outcome {
    /** The candidate can store the values. The one with the least weight is chosen, or is what a codec has to beat. */
    POSSIBLE,
    /** The candidate cannot store the values, or is never a sensible choice. */
    SKIPPED,
    /** The candidate was not estimated. */
    NOT_ASKED,
    /** The target does not use the candidate. */
    NOT_USED
  }

  /**
   * Alternative of a decision.
   *
   * @param name   form or codec; "one chunk" or "blocks"; "read directly" for what a codec has to beat; "chosen" for
   *     what is to be stored, and "Druid's" for the stock column of these values
   * @param outcome result of the candidate
   * @param bytes  size in bytes; for codecs, of the quick variant; absent if unknown
   * @param weight weight; absent if unknown
   * @param codec  comparison of a codec; absent for other candidates
   * @param reason further explanation in words; may be empty
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Candidate(
      String name,
      Outcome outcome,
      @Nullable Long bytes,
      @Nullable Double weight,
      @Nullable CodecComparison codec,
      String reason
  ) {}

  /**
   * Comparison of a codec with the directly read chunks, by two limits.
   *
   * @param limit         size of the codec in bytes below which it has less weight than the directly read chunks
   * @param thoroughBytes size after thorough compression, measured or estimated; absent if the quick variant was
   *     sufficient
   * @param thoroughBasis {@code measured}, or {@code estimated}
   * @param allowed       maximum ratio of the directly read chunks to the stock column with this codec; absent if there
   *     is no limit
   * @param stockLimit    size of the stock column in bytes below which they would exceed that ratio
   * @param stockBytes    size of the stock column after the quick variant
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CodecComparison(
      @Nullable Double limit,
      @Nullable Double thoroughBytes,
      @Nullable String thoroughBasis,
      @Nullable Double allowed,
      @Nullable Double stockLimit,
      long stockBytes
  ) {}

  /**
   * Chunk and its values.
   *
   * @param part       piece of the rows; see {@link Piece#name}
   * @param number     number of the chunk in its part
   * @param firstValue position in the part of the chunk's first value
   * @param numValues  number of values
   * @param min        minimum value
   * @param max        maximum value
   * @param runs       number of runs of at least three equal values
   * @param form       name of the form
   * @param bytes      size in bytes
   */
  public record ChunkExplanation(
      String part,
      int number,
      int firstValue,
      int numValues,
      Number min,
      Number max,
      int runs,
      String form,
      int bytes
  ) {}

  /**
   * Explains the forms of a shape-shifting row part, by encoding it again.
   *
   * @param column   name of the column, for messages
   * @param values   values of the rows
   * @param rows     encoded rows
   * @param encoding encoding of the rows
   * @param target   target of the encoding
   * @throws IllegalStateException if encoding the same values again gives other chunks
   */
  static Explanation of(
      String column,
      RowValues values,
      EncodedRows rows,
      ShapeShiftEncoding encoding,
      OptimizationTarget target
  ) throws IOException {
    final List<DecisionRecorder> recorders = new ArrayList<>();
    try (EncodedRows again = encoding.traced(() -> {
      recorders.add(new DecisionRecorder());
      return recorders.get(recorders.size() - 1);
    }).encode(column, values)) {
      final Map<String, DecodeCost.Weight> costs = new LinkedHashMap<>();
      final List<Decision> decisions = new ArrayList<>();
      final List<ChunkExplanation> chunks = new ArrayList<>();
      final List<Piece<?>> pieces = Piece.of(rows.column());
      for (int i = 0; i < pieces.size(); i++) {
        final DecisionRecorder recorder = recorders.get(i);
        recorder.checkChunks(column, pieces.get(i));
        decisions.addAll(recorder.decisions(pieces.get(i).name()));
        recorder.forms().forEach(form -> costs.put(form.name(), form.cost().under(target)));
        chunks.addAll(chunks(pieces.get(i), PieceValues.of(values, rows, pieces.get(i).name())));
      }
      if (!again.bytes().equals(rows.bytes())) {
        throw new IllegalStateException("Column[" + column + "] has other bytes if it is encoded again");
      }
      return new Explanation(
          target.name().toLowerCase(Locale.ROOT),
          FormTally.of(costs, values instanceof RowValues.Numbers, decisions, chunks),
          decisions,
          chunks
      );
    }
  }

  private static List<ChunkExplanation> chunks(Piece<?> piece, PieceValues values) {
    final List<ChunkExplanation> chunks = new ArrayList<>();
    for (ChunkInfo info : piece.data().chunks()) {
      chunks.add(new ChunkExplanation(
          piece.name(),
          info.number(),
          info.firstValue(),
          info.numValues(),
          values.min(info.firstValue(), info.numValues()),
          values.max(info.firstValue(), info.numValues()),
          values.runs(info.firstValue(), info.numValues()),
          piece.form(info),
          info.bytes()
      ));
    }
    return chunks;
  }
}
