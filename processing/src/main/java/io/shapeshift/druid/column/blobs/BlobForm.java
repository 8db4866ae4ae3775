// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.util.Locale;
import javax.annotation.Nullable;

/** Forms of byte strings. Ids never change. */
enum BlobForm {
  /** One value for all rows. */
  CONSTANT(0, DecodeCost.NONE),
  /** Lengths, and the bytes of all values. */
  PLAIN(1, DecodeCost.NONE),
  /** Distinct values, in any other form, and an id for each row. */
  DISTINCT(2, CostModel.Blobs.DISTINCT_COST),
  /** Values cut into words, whose distinct ones are stored once. */
  WORDS(3, CostModel.Blobs.WORDS_COST),
  /** All bytes as one stream, cut into blocks that LZ4 compresses. */
  LZ4(4, CostModel.Blobs.LZ4_COST),
  /** Like {@link #LZ4}, with Zstandard. */
  ZSTD(5, CostModel.Blobs.ZSTD_COST);

  private static final BlobForm[] ALL = values();

  private final byte id;
  @SuppressWarnings("ImmutableEnumChecker") // A record of records of numbers, which is immutable.
  private final DecodeCost cost;

  BlobForm(int id, DecodeCost cost) {
    this.id = (byte) id;
    this.cost = cost;
  }

  /** Returns the form with an id; null if it is unknown. */
  @Nullable
  static BlobForm byId(int id) {
    return id < 0 || id >= ALL.length ? null : ALL[id];
  }

  byte id() {
    return id;
  }

  /** Returns the cost of reading. */
  DecodeCost cost() {
    return cost;
  }

  /** Returns the name for people, and in metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
