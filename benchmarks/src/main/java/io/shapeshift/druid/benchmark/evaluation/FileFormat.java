// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import java.io.IOException;
import java.nio.file.Path;

/** Format of files of one column, with a codec. */
interface FileFormat {
  /** Name of the format and its codec. */
  String name();

  /** Writes a file of one column. */
  void write(PlainColumn column, Path file) throws IOException;

  /** Opens a file, and reads what it says of its columns. */
  OpenColumn open(Path file) throws IOException;
}
