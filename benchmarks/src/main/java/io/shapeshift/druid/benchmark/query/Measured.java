// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import java.util.List;

/**
 * Results of one measuring JVM.
 *
 * @param sources the data sources, in the order of the job
 * @param queries the queries, in their order
 * @param times   of each round, query and data source
 * @param profile of each query and data source; empty without a profiler
 */
record Measured(List<Source> sources, List<Asked> queries, List<Time> times, List<Profile> profile) {
  /**
   * A data source.
   *
   * @param segments    how many it has
   * @param rows        of all of them
   * @param sizeInBytes of all their files
   */
  record Source(String encoding, int segments, long rows, long sizeInBytes) {}

  /**
   * A query.
   *
   * @param type         its {@code queryType}
   * @param selectedRows that its filter and its intervals let through
   */
  record Asked(String name, String type, long selectedRows) {}

  /**
   * How long an answer took.
   *
   * @param round from 0, without those that warm up
   * @param nanos until the last result was taken
   */
  record Time(int round, String query, String encoding, long nanos) {}

  /**
   * Profile of a query on a data source.
   *
   * @param expected samples that there would be if it had seen all the time that threads were busy
   */
  record Profile(String query, String encoding, double expected, List<Sampled> seen) {}

  /**
   * Samples of one method.
   *
   * @param method  innermost of the stack, as in {@code BitmapVectorOffset.advance}
   * @param samples how often they were seen there
   */
  record Sampled(ProfilePart part, String method, long samples) {}
}
