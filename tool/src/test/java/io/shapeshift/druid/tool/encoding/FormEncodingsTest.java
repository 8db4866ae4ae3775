// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FormEncodingsTest {
  /** Several chunks of each type. */
  private static final int ROWS = 50_000;

  /** The encodings that can store all of the values, which must then be in that form alone. */
  private static Set<String> storing(RowValues values) throws IOException {
    final Set<String> storing = new TreeSet<>();
    for (RowEncoding form : FormEncodings.of(values)) {
      final Optional<EncodedRows> encoded = FormEncodings.encode(form, "test", values);
      assertEquals(encoded.isPresent(), FormEncodings.canStore(form, values), form.name());
      if (encoded.isPresent()) {
        try (EncodedRows rows = encoded.get()) {
          assertEquals(
              Set.of(form.name()),
              rows.forms().keySet().stream().map(FormEncodings::name).collect(Collectors.toSet())
          );
        }
        storing.add(form.name());
      }
    }
    return storing;
  }

  @Test
  void oneIdThatAFormCannotStoreIsEnough() throws IOException {
    final int[] ids = new int[ROWS];
    assertTrue(storing(new RowValues.Ids(ids, 2)).containsAll(Set.of("form-zero", "form-bitpack")));
    ids[ROWS - 1] = 1;
    final Set<String> storing = storing(new RowValues.Ids(ids, 2));
    assertTrue(storing.contains("form-bitpack"));
    assertFalse(storing.contains("form-zero"));
  }

  @Test
  void oneNumberThatAFormCannotStoreIsEnough() throws IOException {
    final long[] longs = new long[ROWS];
    assertTrue(storing(new RowValues.Longs(longs)).contains("form-linear-zero"));
    longs[ROWS - 1] = 1;
    final Set<String> storing = storing(new RowValues.Longs(longs));
    assertTrue(storing.contains("form-linear-bitpack"));
    assertFalse(storing.contains("form-linear-zero"));
  }
}
