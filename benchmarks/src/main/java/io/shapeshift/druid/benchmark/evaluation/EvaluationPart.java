// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.tool.cli.Table;
import java.io.Closeable;

/** Question that is asked of each column of some tables. */
interface EvaluationPart extends Closeable {
  /** Measures a column. */
  void measure(EvaluatedColumn column);

  /** What has been measured so far. */
  Table table();

  @Override
  void close();
}
