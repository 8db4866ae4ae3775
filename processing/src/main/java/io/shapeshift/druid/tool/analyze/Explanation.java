// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

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
   * @param part       {@code ids}; of rows with several values {@code offsets} or {@code values}
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
      int min,
      int max,
      int runs,
      String winner,
      Map<String, Integer> bytes
  ) {}

  /** Explains a column of dictionary ids; null for numbers, which do not shape-shift. */
  @Nullable
  static Explanation of(RowValues values, OptimizationTarget target, BlockSize blockSize) {
    final Map<String, int[]> parts = new LinkedHashMap<>();
    if (values instanceof RowValues.Ids single) {
      parts.put("ids", single.ids());
    } else if (values instanceof RowValues.MultiIds multi) {
      parts.put("offsets", multi.offsets());
      parts.put("values", multi.ids());
    } else {
      return null;
    }
    final FormSelector<IntChunk> selector = FormSelector.forInts(target);
    final List<ChunkExplanation> chunks = new ArrayList<>();
    final Map<String, Tally> tallies = new LinkedHashMap<>();
    parts.forEach((part, ints) -> {
      final List<ChunkInfo> infos = chunks(ints, selector, blockSize);
      for (int number = 0; number < infos.size(); number++) {
        chunks.add(explain(part, ints, number, infos.get(number), selector, tallies));
      }
    });
    return new Explanation(
        target.name().toLowerCase(Locale.ROOT),
        tallies.entrySet().stream().map(tally -> tally.getValue().explanation(tally.getKey(), chunks.size())).toList(),
        chunks
    );
  }

  /** The chunks that the column has when it is written. */
  private static List<ChunkInfo> chunks(int[] ints, FormSelector<IntChunk> selector, BlockSize blockSize) {
    try {
      final ShapeShiftingColumnarIntsSerializer serializer = new ShapeShiftingColumnarIntsSerializer(
          "explained", new OnHeapMemorySegmentWriteOutMedium(), blockSize, selector, IndexIO.BYTE_ORDER);
      serializer.open();
      for (int value : ints) {
        serializer.addValue(value);
      }
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      serializer.writeTo(Channels.newChannel(bytes), null);
      final ByteBuffer column = ByteBuffer.wrap(bytes.toByteArray()).order(IndexIO.BYTE_ORDER);
      return ShapeShiftingColumnarIntsSupplier.read("explained", column).data().chunks();
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
  }

  private static ChunkExplanation explain(
      String part,
      int[] ints,
      int number,
      ChunkInfo info,
      FormSelector<IntChunk> selector,
      Map<String, Tally> tallies
  ) {
    final IntChunk chunk = new IntChunk(info.numValues());
    for (int i = 0; i < info.numValues(); i++) {
      chunk.add(ints[info.firstValue() + i]);
    }
    final Map<String, Integer> bytes = new LinkedHashMap<>();
    final String winner = Forms.intForm(info.formId()).name();
    for (FormSelector.Trial trial : selector.tryAll(chunk)) {
      final String form = trial.form().name();
      final Tally tally = tallies.computeIfAbsent(form, name -> new Tally(trial.cost()));
      if (trial.isPossible()) {
        // The winner is what was written: what a codec makes of a chunk depends on the byte order.
        bytes.put(form, form.equals(winner) ? info.bytes() : trial.bytes());
        tally.add(bytes.get(form), form.equals(winner), info.bytes());
      }
    }
    return new ChunkExplanation(
        part,
        number,
        info.firstValue(),
        chunk.size(),
        chunk.metrics().min(),
        chunk.metrics().max(),
        chunk.metrics().numRuns(),
        winner,
        bytes
    );
  }

  /** The names of all forms, in the order in which they are asked. */
  static List<String> formNames() {
    return FormSelector.forInts(OptimizationTarget.SMALLER).forms().stream().map(form -> form.name()).toList();
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
