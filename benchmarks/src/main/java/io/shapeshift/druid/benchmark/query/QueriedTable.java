// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import io.shapeshift.druid.benchmark.data.DataSets;
import java.nio.file.Path;
import java.util.List;

/** Tables that the project has queries for; a folder of the table's name has them as files. */
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
      "scan-days-thousandth",
      "filter-long-ten-thousandth",
      "filter-long-thousandth",
      "filter-long-hundredth",
      "filter-long-tenth",
      "filter-long-half",
      "filter-long-nine-tenths",
      "filter-double-ten-thousandth",
      "filter-double-thousandth",
      "filter-double-hundredth",
      "filter-double-tenth",
      "filter-double-half",
      "filter-double-nine-tenths",
      "filter-float-tenth",
      "filter-float-half",
      "filter-float-nine-tenths",
      "filter-floats-hundredth",
      "filter-time-ten-thousandth",
      "filter-time-thousandth",
      "filter-time-hundredth",
      "filter-time-tenth",
      "filter-time-half",
      "filter-time-nine-tenths",
      "filter-orderkey-equals",
      "filter-partkey-equals",
      "filter-partkey-in-100",
      "filter-partkey-in-100-texts",
      "filter-partkey-not",
      "filter-price-bound-tenth",
      "filter-quantity-expression-tenth",
      "filter-string-and-long",
      "filter-string-or-long",
      "filter-rare-string-and-long",
      "filter-rare-string-and-double",
      "filter-rare-string-or-double",
      "filter-not-string-and-not-float",
      "filter-long-or-double",
      "filter-day-quantity-tenth",
      "filter-day-price-half",
      "filter-month-quantity-tenth",
      "filter-month-price-half",
      "filter-scan-100-of-tenth",
      "filter-scan-100-of-nine-tenths",
      "filter-scan-100-of-thousandth",
      "filter-topN-quantity-tenth",
      "filter-groupBy-shipmode-half"
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
      "filter-comment-ignoring-case",
      "filter-comment-like",
      "filter-comment-regex",
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

  /** Names of the queries. */
  List<String> queries() {
    return queries;
  }

  /**
   * Segments of the table, made unless the cache has them.
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

  /** Name in options and results. */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
