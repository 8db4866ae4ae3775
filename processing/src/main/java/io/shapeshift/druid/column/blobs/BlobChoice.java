// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.codec.Codec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Choice of a section's form: the one with the least weight, which is its size times the cost of reading it. */
final class BlobChoice {
  /** Bytes of a word, and the least of a head, that are tried. */
  private static final int[][] CUTS = {{Long.BYTES, 16}, {Long.BYTES, 8}, {Integer.BYTES, 8}};

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final OptimizationTarget target;

  /**
   * Creates a choice.
   *
   * @param column name of the column, for messages
   * @param medium keeps what is encoded
   */
  BlobChoice(String column, SegmentWriteOutMedium medium, OptimizationTarget target) {
    this.column = column;
    this.medium = medium;
    this.target = target;
  }

  /** Encodes values in the best form. */
  EncodedBlobs of(BlobSpill values) throws IOException {
    if (values.isConstant()) {
      return ConstantBlobs.encode(values);
    }
    final EncodedBlobs direct = withoutRepeats(values, true);
    // Rows read distinct values in any order, which would decompress a block for each.
    @Nullable final EncodedBlobs distinct =
        distinct(values, once -> withoutRepeats(once, once.numBytes() <= BlockBlobs.BLOCK_SIZE));
    return best(distinct == null ? List.of(direct) : List.of(direct, distinct));
  }

  /** Encodes heads of values, whose form must be simple. */
  EncodedBlobs ofHeads(BlobSpill heads) throws IOException {
    if (heads.isConstant()) {
      return ConstantBlobs.encode(heads);
    }
    final EncodedBlobs plain = PlainBlobs.encode(column, heads, medium, target);
    @Nullable final EncodedBlobs distinct =
        distinct(heads, values -> PlainBlobs.encode(column, values, medium, target));
    return best(distinct == null ? List.of(plain) : List.of(plain, distinct));
  }

  /**
   * Encodes values without storing equal values once. The result is not larger than LZ4 blocks, times their cost under
   * the target, if blocks are allowed.
   *
   * @param mayHaveBlocks whether values may be compressed in blocks, which are read in order
   */
  private EncodedBlobs withoutRepeats(BlobSpill values, boolean mayHaveBlocks) throws IOException {
    if (values.isConstant()) {
      return ConstantBlobs.encode(values);
    }
    final List<EncodedBlobs> candidates = new ArrayList<>();
    candidates.add(PlainBlobs.encode(column, values, medium, target));
    candidates.add(words(values));
    if (!mayHaveBlocks) {
      return best(candidates);
    }
    if (BlobForm.ZSTD.cost().under(target).factor() < DecodeCost.NEVER) {
      @Nullable final EncodedBlobs zstd =
          BlockBlobs.encode(column, values, Codec.ZSTD, best(candidates).size(), medium, target);
      if (zstd != null) {
        candidates.add(zstd);
      }
    }
    final EncodedBlobs best = best(candidates);
    final long limit = (long) (best.size() / BlobForm.LZ4.cost().under(target).factor());
    @Nullable final EncodedBlobs lz4 = BlockBlobs.encode(column, values, Codec.LZ4, limit, medium, target);
    return lz4 == null ? best : lz4;
  }

  private EncodedBlobs words(BlobSpill values) throws IOException {
    WordEncoder best = null;
    double least = Double.POSITIVE_INFINITY;
    for (int[] cut : CUTS) {
      final WordEncoder encoder = new WordEncoder(values, cut[0], cut[1], target);
      final double weight = encoder.estimate(CostModel.Blobs.SAMPLE_BYTES);
      if (weight < least) {
        best = encoder;
        least = weight;
      }
    }
    if (values.numBytes() >= CostModel.Blobs.SAMPLE_BYTES) {
      best = best.another();
      best.estimate();
    }
    return best.encode(column, medium);
  }

  /** Encoder of distinct values. */
  @FunctionalInterface
  interface Inner {
    EncodedBlobs encode(BlobSpill distinct) throws IOException;
  }

  /** Encodes values of which equal ones are stored once; returns null if too few are equal. */
  @Nullable
  EncodedBlobs distinct(BlobSpill values, Inner inner) throws IOException {
    final DistinctValues distinct = new DistinctValues();
    final ShapeShiftingColumnarIntsSerializer codes = Sections.openInts(column + " (ids)", medium, target);
    long bytes = 0;
    try (BlobSpill.Values each = values.values()) {
      while (each.next()) {
        if (each.length() == BlobSpill.NULL) {
          codes.addValue(0);
        } else {
          codes.addValue(1 + distinct.add(each.bytes(), 0, each.length()));
          bytes += each.length();
        }
        if (bytes > CostModel.Blobs.LEAST_TO_JUDGE && distinct.numBytes() > CostModel.Blobs.MOST_DISTINCT * bytes) {
          return null;
        }
      }
    }
    final BlobSpill once = new BlobSpill(medium);
    for (int number = 0; number < distinct.size(); number++) {
      once.add(distinct.bytes(), distinct.start(number), distinct.length(number));
    }
    once.complete();
    return DistinctBlobs.of(values, inner.encode(once), codes);
  }

  private EncodedBlobs best(List<EncodedBlobs> candidates) throws IOException {
    EncodedBlobs best = candidates.get(0);
    double least = Double.POSITIVE_INFINITY;
    for (EncodedBlobs candidate : candidates) {
      final double weight = candidate.size() * candidate.cost().under(target).factor();
      if (weight < least) {
        best = candidate;
        least = weight;
      }
    }
    return best;
  }
}
