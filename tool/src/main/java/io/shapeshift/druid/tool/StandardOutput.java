// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import javax.annotation.Nullable;

/** Standard output that remembers why a write failed. {@code System.out} would forget the reason. */
final class StandardOutput extends FilterOutputStream {
  /** Message of Linux and macOS if the reader, such as {@code head}, has closed the pipe. */
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

  /** Reason of the first failed write, or null. */
  @Nullable
  String problem() {
    return problem;
  }
}
