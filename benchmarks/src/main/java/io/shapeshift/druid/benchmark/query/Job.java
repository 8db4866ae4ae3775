// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import java.util.List;
import javax.annotation.Nullable;

/**
 * Work of one measuring JVM. Paths are strings for JSON.
 *
 * @param stored         where the segments of each encoding are, that with which the others are compared first
 * @param queries        directory of queries; null for those of the project
 * @param table          which of those of the project
 * @param only           regular expression for names of queries
 * @param threads        {@code druid.processing.numThreads}
 * @param warmups        rounds that are not counted, in which short queries are put again and again
 * @param rounds         rounds that are
 * @param profileSeconds how long each query then runs on each data source under a profiler; 0 for not at all
 */
record Job(
    List<Stored> stored,
    @Nullable String queries,
    QueriedTable table,
    String only,
    int threads,
    int warmups,
    int rounds,
    double profileSeconds
) {
  /**
   * Segments.
   *
   * @param encoding how their ids and numbers are stored
   * @param folder   where they are
   */
  record Stored(String encoding, String folder) {}
}
