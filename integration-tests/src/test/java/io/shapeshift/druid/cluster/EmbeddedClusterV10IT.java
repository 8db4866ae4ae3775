// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import org.junit.jupiter.api.BeforeAll;

/** Tests a Druid that writes segments of version 10. */
class EmbeddedClusterV10IT extends EmbeddedClusterContract {
  @BeforeAll
  static void start() throws Exception {
    startAndIngestStock(SegmentVersion.V10);
  }
}
