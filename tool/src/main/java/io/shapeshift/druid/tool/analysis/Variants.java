// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedHashIndex;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnHolder;

/** Encodings of a column that no single target has, and that the column's own entry in the indexSpec can request. */
public final class Variants {
  /** Rows and dictionary under the target {@code smaller}, and posting lists under the default target. */
  public static final String LISTS = "shapeshift-smaller-lists";
  /** Rows and dictionary under the default target, and under {@code smaller} an index, which may have no lists. */
  public static final String SCANS = "shapeshift-fastbutsmallish-scans";
  /** Numbers under the default target, with a hash index. */
  public static final String HASH_INDEX = "shapeshift-fastbutsmallish-hash";

  /** Minimum number of rows of a column that may be a key. A scan of fewer rows takes microseconds. */
  static final int MIN_ROWS_OF_KEY = 10_000;
  /** Maximum number of rows per value of a column that may be a key. */
  private static final int MAX_ROWS_PER_KEY = 2;

  private final SegmentColumn column;
  private final ShapeShiftEncoding smaller;
  private final ShapeShiftEncoding standard;

  Variants(SegmentColumn column, BlockSize blockSize) {
    this.column = column;
    this.smaller = RowEncodings.shapeShifting(OptimizationTarget.SMALLER, blockSize);
    this.standard = RowEncodings.shapeShifting(OptimizationTarget.FASTBUTSMALLISH, blockSize);
  }

  /**
   * Adds the variants that a column can have.
   *
   * @param index     rows of each value; null if the column has no index
   * @param hashIndex hash index of the numbers; null if they can have none
   * @param encoded   columns by name of the encoding
   * @throws IOException if the system's temporary directory is full
   */
  void encode(
      RowValues values,
      @Nullable IndexValues index,
      @Nullable EncodedHashIndex hashIndex,
      Map<String, EncodedColumn> encoded
  ) throws IOException {
    final String name = column.displayName();
    if (index != null && index.owner() == IndexValues.Owner.STRINGS && column.parts().index().canShapeShift()) {
      encoded.put(LISTS, EncodedColumn.encode(name, smaller, values, standard, index));
      encoded.put(SCANS, EncodedColumn.encode(name, standard, values, smaller, index));
    }
    if (hashIndex != null && mayBeKey((RowValues.Numbers) values, hashIndex.keys())) {
      final ShapeShiftEncoding ofKeys = standard.forLookUps();
      encoded.put(HASH_INDEX, new EncodedColumn(ofKeys, ofKeys.encode(name, values), null));
    }
  }

  /** Whether a column of the base table is like a key: a long dimension that is not sorted, with few rows per value. */
  private boolean mayBeKey(RowValues.Numbers values, int keys) {
    return values.type() == NumberType.LONG
        && column.projection() == null
        && column.parts().hashIndex() == null
        && !column.name().equals(ColumnHolder.TIME_COLUMN_NAME)
        && isNearlyUnique(values.rows(), keys)
        && column.segment().ordering().contains(column.name())
        && !isSorted(values);
  }

  /** Whether rows are many, and few of them have the same value. */
  static boolean isNearlyUnique(int rows, int values) {
    return rows >= MIN_ROWS_OF_KEY && (long) values * MAX_ROWS_PER_KEY >= rows;
  }

  /** Whether a scan can skip most chunks by their least and greatest value. */
  private static boolean isSorted(RowValues.Numbers values) {
    for (int row = 1; row < values.rows(); row++) {
      if (values.key(row) < values.key(row - 1)) {
        return false;
      }
    }
    return true;
  }

  /** Bytes behind the numbers of a column that gets a hash index. */
  static long indexBytes(SegmentColumn column, EncodedHashIndex hashIndex) {
    final ColumnParts parts = column.parts();
    return parts.nullsBeforeHashIndex(column).remaining() + (long) hashIndex.sizeInBytes();
  }

  /** Removes the variants from analyses by name of the encoding, and returns them. */
  static Map<String, EncodingAnalysis> removeFrom(Map<String, EncodingAnalysis> analyses) {
    final Map<String, EncodingAnalysis> variants = new LinkedHashMap<>();
    List.of(LISTS, SCANS, HASH_INDEX).forEach(name -> {
      if (analyses.containsKey(name)) {
        variants.put(name, Objects.requireNonNull(analyses.remove(name)));
      }
    });
    return variants;
  }
}
