// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;

/**
 * Metric of all rows. A row is given as its number, its chunk of memory, and its offset in the chunk.
 *
 * <p>One thread initialises and aggregates. Other threads read published rows, and may see a row before or after a
 * concurrent aggregation.
 */
public interface Metric {
  /**
   * Initialises the metric of a new row.
   *
   * @return estimated heap bytes
   */
  long init(int row, ByteBuffer chunk, int start);

  /**
   * Aggregates the current input of the index into a row.
   *
   * @return estimated additional heap bytes
   */
  long aggregate(int row, ByteBuffer chunk, int start, InputRow input);

  boolean isNull(int row, ByteBuffer chunk, int start);

  long getLong(int row, ByteBuffer chunk, int start);

  float getFloat(int row, ByteBuffer chunk, int start);

  double getDouble(int row, ByteBuffer chunk, int start);

  @Nullable
  Object get(int row, ByteBuffer chunk, int start);

  /** Closes aggregators. Nothing is read afterwards. */
  void close();
}
