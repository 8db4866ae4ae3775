// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Receiver of the rows of a posting list. Rows outside the segment are refused as damage. */
public interface RowSink {
  /** Receives one row. */
  void row(int row);

  /** Receives adjacent rows, which is faster than one by one. */
  void run(int from, int to);
}
