// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LazyMediumTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4095, 4096, 4097, 200_000})
  void whatIsWrittenIsRead(int size) throws IOException {
    final byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    final List<WriteOutBytes> written = new ArrayList<>();
    try (SegmentWriteOutMedium medium = new LazyMedium()) {
      for (SegmentWriteOutMedium each : List.of(medium, medium.makeChildWriteOutMedium())) {
        // Two of them, which may share a directory but no file.
        for (int i = 0; i < 2; i++) {
          final WriteOutBytes out = each.makeWriteOutBytes();
          out.write(bytes);
          out.writeInt(i);
          written.add(out);
        }
      }
      for (WriteOutBytes out : written) {
        assertEquals(size + Integer.BYTES, out.size());
        final byte[] read = new byte[size];
        out.readFully(0, ByteBuffer.wrap(read));
        assertArrayEquals(bytes, read);
      }
    }
    for (WriteOutBytes out : written) {
      assertThrows(RuntimeException.class, () -> out.write(1));
    }
  }
}
