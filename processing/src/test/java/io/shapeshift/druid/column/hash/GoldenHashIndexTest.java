// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Hash indexes, byte by byte. */
class GoldenHashIndexTest {
  private static final Splitter SPACE = Splitter.on(' ').omitEmptyStrings();
  private static final Path SPECIFICATION =
      Path.of("src", "main", "java", "io", "shapeshift", "druid", "column", "hash", "HashIndex.java");

  @Test
  void indexesMatchTheirGoldenBytes() throws IOException {
    for (Golden.Example example : Golden.checkExamples(Golden.file("hash/indexes"), GoldenHashIndexTest::encode)) {
      final List<Long> rows = rows(example);
      final HashIndexReader reader =
          HashIndexes.read(example.bytes(), rows.size()).reader(HashIndexes.column(rows));
      for (Long key : rows) {
        if (key != null) {
          assertEquals(
              IntStream.range(0, rows.size()).filter(row -> key.equals(rows.get(row))).boxed().toList(),
              HashIndexes.find(reader, key, rows.size()),
              example.spec()
          );
        }
      }
    }
  }

  /** The Javadoc shows the bytes of the first example. */
  @Test
  void theSpecificationShowsAnExample() throws IOException {
    final Golden.Example example = Golden.read(Golden.file("hash/indexes")).get(0);
    final String text = Files.readString(SPECIFICATION).replaceAll("\\s*\\n \\* *", " ");
    assertTrue(text.contains(example.hex()), () -> "Javadoc lacks " + example.hex());
  }

  private static byte[] encode(Golden.Example example) {
    try {
      return HashIndexes.write(rows(example));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Long> rows(Golden.Example example) {
    final List<Long> rows = new ArrayList<>();
    for (String token : SPACE.split(example.spec())) {
      if (token.equals("null")) {
        rows.add(null);
      } else {
        for (long bits : new Golden.Example(token, "", false).bits(NumberType.LONG)) {
          rows.add(bits);
        }
      }
    }
    return rows;
  }
}
