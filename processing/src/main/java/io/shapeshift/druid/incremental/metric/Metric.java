// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;

/**
 * A metric of all rows. A row is given as its number, the chunk that it is in, and where in it.
 *
 * <p>One thread initialises and aggregates; others read rows that are published, and may see a row before or after what
 * is aggregated meanwhile.
 */
public interface Metric {
  /**
   * Prepares the metric of a row that is new.
   *
   * @return bytes that it takes on the heap, an estimate
   */
  long init(int row, ByteBuffer chunk, int start);

  /**
   * Aggregates the input that the index is given just now.
   *
   * @return bytes that it takes on the heap more than before, an estimate
   */
  long aggregate(int row, ByteBuffer chunk, int start, InputRow input);

  boolean isNull(int row, ByteBuffer chunk, int start);

  long getLong(int row, ByteBuffer chunk, int start);

  float getFloat(int row, ByteBuffer chunk, int start);

  double getDouble(int row, ByteBuffer chunk, int start);

  @Nullable
  Object get(int row, ByteBuffer chunk, int start);

  /** Closes aggregators; nothing is read any more. */
  void close();
}
