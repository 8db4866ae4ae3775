// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading a row part checks it, and says at which row something is wrong. */
class RowPartTest {
  @ParameterizedTest
  @CsvSource({"druid-lz4, (block 0)", "shapeshift-smaller, (chunk 0 at offset 26)"})
  void idsAreThoseOfTheDictionaryAndAsManyAsTheTableHas(String encoding, String place) throws IOException {
    final int[] ids = {0, 5, 2};
    try (EncodedRows rows = RowEncodings.parse(encoding).encode("column", new RowValues.Ids(ids, 6))) {
      final RowPart good = RowPart.ids(encoding, rows.bytes(), 6, rows.column());
      assertArrayEquals(ids, ((RowValues.Ids) good.read(3)).ids());
      assertEquals(
          "it has 3 rows, but its table has 4",
          assertThrows(Damage.class, () -> good.read(4)).getMessage()
      );
      final RowPart bad = RowPart.ids(encoding, rows.bytes(), 5, rows.column());
      assertEquals(
          "row 1 " + place + " has id 5, but the dictionary has 5 values",
          assertThrows(Damage.class, () -> bad.read(3)).getMessage()
      );
    }
  }
}
