// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.tool.encoding.Piece;
import io.shapeshift.druid.tool.encoding.PieceValues;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Why which form wins in a column: what each of them would make of its chunks.
 *
 * @param target the optimization target
 * @param forms  what there is to say of each form, in the order in which they are asked
 * @param chunks what there is to say of each chunk
 */
public record Explanation(String target, List<FormExplanation> forms, List<ChunkExplanation> chunks) {
  /**
   * What a form would make of the column.
   *
   * @param form           its name
   * @param cost           by what its size is multiplied under the target; absent if it is not used under it
   * @param chunks         chunks that it could store
   * @param bytes          what they would take in this form
   * @param bytesOfWinners what the same chunks take in the forms that won them
   * @param wonChunks      chunks that it won
   * @param wonBytes       what those take
   * @param reason         why it won or lost, in words
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FormExplanation(
      String form,
      @Nullable Double cost,
      int chunks,
      long bytes,
      long bytesOfWinners,
      int wonChunks,
      long wonBytes,
      String reason
  ) {}

  /**
   * What the forms would make of a chunk.
   *
   * @param part       the piece of the rows: see {@link Piece#name}
   * @param number     of the chunk in its part
   * @param firstValue position in the part of the chunk's first value
   * @param numValues  its values
   * @param min        its smallest value
   * @param max        its largest value
   * @param runs       how often a value stands at least three times in a row
   * @param winner     name of the form that wins
   * @param bytes      by name of the form, what the chunk takes in each that can store it
   */
  public record ChunkExplanation(
      String part,
      int number,
      int firstValue,
      int numValues,
      Number min,
      Number max,
      int runs,
      String winner,
      Map<String, Integer> bytes
  ) {}

  /**
   * Explains why a row part that shape-shifts under a target has the forms that it has.
   *
   * @param values the rows
   * @param column opens them as they were stored
   */
  static Explanation of(RowValues values, Supplier<?> column, OptimizationTarget target) {
    final List<ChunkExplanation> chunks = new ArrayList<>();
    final Map<String, Tally> tallies = new LinkedHashMap<>();
    for (Piece<?> piece : Piece.of(column)) {
      explain(piece, PieceValues.of(values, piece.name(), target), chunks, tallies);
    }
    return new Explanation(
        target.name().toLowerCase(Locale.ROOT),
        tallies.entrySet().stream().map(tally -> tally.getValue().explanation(tally.getKey(), chunks.size())).toList(),
        chunks
    );
  }

  private static <C extends Chunk> void explain(
      Piece<?> piece,
      PieceValues<C> values,
      List<ChunkExplanation> chunks,
      Map<String, Tally> tallies
  ) {
    for (ChunkInfo info : piece.data().chunks()) {
      final Map<String, Integer> bytes = new LinkedHashMap<>();
      final String winner = piece.form(info);
      for (FormSelector.Trial trial : values.tryAll(info.firstValue(), info.numValues())) {
        final String form = trial.form().name();
        final Tally tally = tallies.computeIfAbsent(form, name -> new Tally(trial.cost()));
        if (trial.isPossible()) {
          // The winner is what was written: what a codec makes of a chunk depends on the byte order.
          bytes.put(form, form.equals(winner) ? info.bytes() : trial.bytes());
          tally.add(bytes.get(form), form.equals(winner), info.bytes());
        }
      }
      chunks.add(new ChunkExplanation(
          piece.name(),
          info.number(),
          info.firstValue(),
          info.numValues(),
          values.min(info.firstValue(), info.numValues()),
          values.max(info.firstValue(), info.numValues()),
          values.runs(info.firstValue(), info.numValues()),
          winner,
          bytes
      ));
    }
  }

  /** Sums over the chunks, for one form. */
  private static final class Tally {
    private final double cost;
    private int chunks;
    private long bytes;
    private long bytesOfWinners;
    private int wonChunks;
    private long wonBytes;

    private Tally(double cost) {
      this.cost = cost;
    }

    private void add(int chunkBytes, boolean wins, int winnerBytes) {
      chunks++;
      bytes += chunkBytes;
      bytesOfWinners += winnerBytes;
      if (wins) {
        wonChunks++;
        wonBytes += chunkBytes;
      }
    }

    private FormExplanation explanation(String form, int allChunks) {
      final boolean used = Double.isFinite(cost);
      return new FormExplanation(
          form,
          used ? cost : null,
          chunks,
          bytes,
          bytesOfWinners,
          wonChunks,
          wonBytes,
          used ? reason(allChunks) : "not used under this target: it reads too slowly"
      );
    }

    private String reason(int allChunks) {
      if (chunks == 0) {
        return "cannot store any of the chunks";
      }
      final double ratio = (double) bytes / bytesOfWinners;
      final String size = String.format(Locale.ROOT, "%.3f times the winners' bytes", ratio);
      final String where = chunks < allChunks ? " in the " + chunks + " chunks that it can store" : "";
      if (wonChunks == allChunks) {
        return "wins every chunk";
      }
      if (wonChunks > 0) {
        return String.format(Locale.ROOT, "wins %d of %d chunks; alone %s%s", wonChunks, allChunks, size, where);
      }
      return ratio < 1
             ? String.format(Locale.ROOT, "loses: %s%s, but reads slower, which counts %.2f", size, where, cost)
             : "loses: " + size + where;
    }
  }
}
