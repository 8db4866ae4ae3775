// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import javax.annotation.Nullable;

/** Standard output, which remembers why it could not be written; {@code System.out} would forget it. */
final class StandardOutput extends FilterOutputStream {
  /** What Linux and macOS say where the reader, such as {@code head}, has seen enough. */
  private static final String NO_READER = "Broken pipe";

  @Nullable
  private String problem;

  StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (!NO_READER.equals(e.getMessage())) {
        problem = e.getMessage();
      }
      throw e;
    }
  }

  /** Why something could not be written, or null. */
  @Nullable
  String problem() {
    return problem;
  }
}
