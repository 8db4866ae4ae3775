// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.endtoend;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.shapeshift.druid.benchmark.data.DataSets;
import java.nio.file.Path;
import java.util.List;

/** The tables that the queries of the project are for; the queries are files in a folder of the table's name. */
enum QueriedTable {
  /** {@code lineitem} with its numbers as numbers. */
  NUMBERS(
      "timeseries-sums-all",
      "timeseries-years-compared-all",
      "groupBy-pricing-all",
      "groupBy-suppkey-all",
      "topN-quantity-all",
      "groupBy-partkey-tenth",
      "timeseries-quantity-tenth",
      "timeseries-price-tenth",
      "timeseries-forecast-fiftieth",
      "timeseries-month-hundredth",
      "timeseries-amounts-thousandth",
      "scan-days-thousandth"
  ),
  /** {@code lineitem} with all its columns as strings, and some numbers and nulls beside them. */
  STRINGS(
      "groupBy-shipmode-all",
      "groupBy-returnflag-linestatus-all",
      "groupBy-suppkey-all",
      "groupBy-partkey-tenth",
      "groupBy-shipmode-suppkey-thousandth",
      "groupBy-comment-hundredth",
      "topN-suppkey-all",
      "topN-commitdate-tenth",
      "timeseries-shipmode-tenth",
      "scan-thousandth",
      "scan-comment-hundredth",
      "search-commitdate-tenth",
      "filter-orderkey-equals",
      "filter-partkey-equals",
      "filter-partkey-in-10",
      "filter-orderkey-in-1000",
      "filter-orderkey-in-100000",
      "filter-comment-in-1000",
      "filter-partkey-range",
      "filter-commitdate-range",
      "filter-comment-prefix",
      "filter-comment-contains",
      "filter-partkey-not",
      "filter-shipinstruct-null",
      "filter-shipinstruct-not",
      "filter-three-and",
      "filter-three-or"
  );

  static final String TABLE = "lineitem";

  private final ImmutableList<String> queries;

  QueriedTable(String... queries) {
    this.queries = ImmutableList.copyOf(queries);
  }

  /** Names of its queries. */
  List<String> queries() {
    return queries;
  }

  /**
   * Its segments, which are made if there are none.
   *
   * @param scale          the scale factor of TPC-H
   * @param rowsPerSegment at most
   * @param cache          directory of segments
   * @return the folder of the segments
   */
  Path segments(double scale, int rowsPerSegment, Path cache) {
    return this == STRINGS
           ? DataSets.tpchStrings(TABLE, scale, rowsPerSegment, cache)
           : DataSets.tpch(TABLE, scale, rowsPerSegment, cache);
  }

  /** Its name in options and results. */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
