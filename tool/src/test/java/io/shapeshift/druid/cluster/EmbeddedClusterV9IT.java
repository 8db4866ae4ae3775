// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A Druid that writes segments of version 9. */
class EmbeddedClusterV9IT extends EmbeddedClusterContract {
  @BeforeAll
  static void start() throws Exception {
    startAndIngestStock(SegmentVersion.V9);
  }

  /** The format of segments has no part in it, so that one cluster does. */
  @Test
  void automaticCompactionKeepsMetrics() throws IOException {
    new AutoCompactedMetrics(druid).assertKept();
  }
}
