// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

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
 * Why a column has the forms that it has: what selection decided while it encoded the column, and why.
 *
 * @param target    the optimization target
 * @param forms     what there is to say of each form, in the order in which they are asked
 * @param decisions all that was decided, in this order
 * @param chunks    what came of it
 */
public record Explanation(
    String target,
    List<FormExplanation> forms,
    List<Decision> decisions,
    List<ChunkExplanation> chunks
) {
  /**
   * How a form did in the column. What selection compares is weight: bytes times {@code factor}, and
   * {@code perNumber} bytes for each number besides.
   *
   * @param form        its name
   * @param factor      by what its bytes are multiplied under the target; absent if it is not used under it
   * @param perNumber   what each number counts for besides, in bytes; 0 for ids
   * @param wonChunks   chunks that it won
   * @param wonBytes    what those take
   * @param asked       how often it was asked for a run of values; of codecs how often it was tried
   * @param possible    how often it could store them
   * @param best        how often it was the best
   * @param bytes       what these runs would take in this form; of codecs as its quick variant says
   * @param weight      the weight of these
   * @param weightOfBest the weight of the same runs in the forms that are best for them; of codecs, in those that are
   *                    read directly
   * @param reason      why it won or lost, in words
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

  /** What was to be decided. */
  public enum Question {
    /** Which form that is read directly suits a run of values best. */
    FORM,
    /** Whether a run of values becomes one chunk or a chunk for each block. */
    BLOCKS,
    /** Whether a codec is better for all buffered values than the chunks that are read directly. */
    CODEC,
    /** Whether what was chosen can be stored without the column becoming larger than Druid's own. */
    SIZE
  }

  /**
   * Something that was decided of a run of values.
   *
   * @param part       the piece of the rows: see {@link Piece#name}
   * @param question   what was to be decided
   * @param firstValue position in the part of the first value
   * @param numValues  how many they are
   * @param answer     the form or the codec that was best, "one chunk" or "blocks"; "chosen" if it can be stored, or
   *                   "Druid's"; otherwise why there is none
   * @param candidates what there was to choose from
   */
  public record Decision(
      String part,
      Question question,
      long firstValue,
      int numValues,
      String answer,
      List<Candidate> candidates
  ) {}

  /** What came of a candidate. */
  public enum Outcome {
    /** It can store the values: the one of least weight, or what a codec has to beat, is chosen. */
    POSSIBLE,
    /** It cannot store them, or never sensibly. */
    SKIPPED,
    /** It was not asked. */
    NOT_ASKED,
    /** It is not used under the target. */
    NOT_USED
  }

  /**
   * One of those among which was to decide.
   *
   * @param name   form or codec; "one chunk" or "blocks"; "read directly" for what a codec has to beat; "chosen" for
   *               what is to be stored, and "Druid's" for what these values take in Druid's own column
   * @param outcome what came of it
   * @param bytes  what it would take; of codecs as its quick variant says; absent where it was not found out
   * @param weight what was compared; absent where it was not found out
   * @param codec  how a codec was compared; absent for all others
   * @param reason what there is to say of it besides, in words; may be empty
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
   * How a codec was compared with the chunks that are read directly. Both comparisons are won by less than a limit.
   *
   * @param limit         the bytes of the codec below which it has less weight than they have
   * @param thoroughBytes what thorough compression was measured or believed to take; absent where the quick variant
   *                      said enough
   * @param thoroughBasis {@code measured}, {@code believed}, or {@code half_of_quick}, below which it hardly is
   * @param allowed       by what factor they may be larger than Druid's own column with this codec; absent if there is
   *                      no bound
   * @param stockLimit    the bytes of Druid's own column below which they would be larger than that
   * @param stockBytes    what the quick variant makes of Druid's own column
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
   * A chunk, and its values.
   *
   * @param part       the piece of the rows: see {@link Piece#name}
   * @param number     of the chunk in its part
   * @param firstValue position in the part of the chunk's first value
   * @param numValues  its values
   * @param min        its smallest value
   * @param max        its largest value
   * @param runs       how often a value stands at least three times in a row
   * @param form       name of its form
   * @param bytes      its size
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
   * Explains why a row part that shape-shifts has the forms that it has, by encoding it again.
   *
   * @param column   its name, for messages
   * @param values   the rows
   * @param rows     how they were encoded
   * @param encoding in which they were
   * @param target   its target
   * @throws IllegalStateException if the same values in the same encoding become other chunks
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
