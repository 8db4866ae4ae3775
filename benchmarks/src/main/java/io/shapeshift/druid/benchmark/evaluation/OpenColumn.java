// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import java.io.Closeable;
import java.io.IOException;

/** Column of an open file or segment. */
interface OpenColumn extends Closeable {
  /**
   * Decodes all values, in vectors of numbers or of references to UTF-8, as an engine reads them.
   *
   * @param sink receives each vector
   */
  void decode(VectorSink sink) throws IOException;
}
