// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.inject.Inject;
import io.shapeshift.druid.bits.RawBytes;
import org.apache.druid.java.util.common.logger.Logger;

/** Logs a warning at service start if the JVM denies the kind of memory access that reads columns fastest. */
final class MemoryAccess {
  private static final Logger LOG = new Logger(MemoryAccess.class);

  @Inject
  MemoryAccess() {
    if (!RawBytes.isUnchecked()) {
      LOG.warn("This JVM denies sun.misc.Unsafe, without which shape-shifting columns are read more slowly: see"
          + " --sun-misc-unsafe-memory-access in druid-shapeshift's docs/reliability.md");
    }
  }
}
