// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import io.shapeshift.druid.benchmark.data.SegmentColumns;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Reads a dictionary of the values of a segment's column, except null. */
public class DictionaryReadFromSegmentBenchmark extends DictionaryReadBenchmark {
  /** A directory or an {@code index.zip}. */
  @Param("")
  private String segmentPath;

  /** The column, of a projection as {@code PROJECTION/NAME}. */
  @Param("")
  private String columnName;

  /** Sets it up for these values. */
  @Setup
  public void setUp(Blackhole blackhole) throws IOException {
    setUp(SegmentColumns.texts(segmentPath, columnName), blackhole);
  }
}
