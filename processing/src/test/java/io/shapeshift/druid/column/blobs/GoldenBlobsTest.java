// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.common.base.Splitter;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;

/** Byte strings in each form, byte by byte. A value is {@code null}, {@code -} for no bytes, or bytes in hex. */
class GoldenBlobsTest {
  private static final Splitter SPACE = Splitter.on(' ').omitEmptyStrings();

  @Test
  void columnsMatchTheirGoldenBytes() throws IOException {
    final Set<String> seen = new TreeSet<>();
    for (Golden.Example example : Golden.checkExamples(Golden.file("blobs"), GoldenBlobsTest::encode)) {
      final Blobs blobs = Blobs.read("c", ByteBuffer.wrap(example.bytes()));
      blobs.describe().forEach(section -> seen.add(SPACE.splitToList(section.form()).get(0)));
      final List<byte[]> values = values(example);
      try (BlobsReader reader = blobs.reader()) {
        for (int i = 0; i < values.size(); i++) {
          @Nullable final ByteBuffer value = reader.get(i, false);
          if (values.get(i) == null) {
            assertNull(value, example.spec());
          } else {
            final byte[] bytes = new byte[value.remaining()];
            value.get(bytes);
            assertArrayEquals(values.get(i), bytes, example.spec());
          }
        }
      }
    }
    final Set<String> all = new TreeSet<>();
    for (BlobForm form : BlobForm.values()) {
      all.add(form.label());
    }
    assertEquals(all, seen, "Add examples of all forms");
  }

  private static byte[] encode(Golden.Example example) {
    try {
      return BlobColumns.write(
          values(example),
          BlobColumns.Way.valueOf(example.form()),
          // The target with the most modes of words.
          OptimizationTarget.SMALLER,
          BlobColumns.SECTION_BYTES
      );
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<byte[]> values(Golden.Example example) {
    final List<byte[]> values = new ArrayList<>();
    for (String value : SPACE.split(example.spec().substring(example.form().length() + 1))) {
      values.add(switch (value) {
        case "null" -> null;
        case "-" -> new byte[0];
        default -> HexFormat.of().parseHex(value);
      });
    }
    return values;
  }
}
