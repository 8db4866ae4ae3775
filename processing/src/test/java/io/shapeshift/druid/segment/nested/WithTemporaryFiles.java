// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.File;
import java.io.IOException;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Test of what keeps temporary files, of which none may be left. */
abstract class WithTemporaryFiles {
  @TempDir
  File folder;
  SegmentWriteOutMedium medium;

  @BeforeEach
  void openMedium() throws IOException {
    medium = TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    medium.close();
    assertArrayEquals(new String[0], folder.list());
  }
}
