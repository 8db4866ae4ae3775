// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.form.strings.added.DeflatedTexts;
import io.shapeshift.druid.form.strings.added.FailingTexts;
import io.shapeshift.druid.form.strings.added.FailingTexts.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of encodings of texts holds for those that keep it, and finds what others do wrong. */
class TextContractTest {
  private static final String[] SAMPLE = {CheckedTexts.withChecksum("one"), CheckedTexts.withChecksum("two")};

  @Test
  void encodingsKeepIt() {
    EncodingContract.check(new CheckedTexts(), SAMPLE);
    EncodingContract.check(new DeflatedTexts(), SAMPLE);
  }

  /** A reader may throw what it likes of damaged bytes, but not of others; nonsense is found as well. */
  @ParameterizedTest
  @EnumSource(value = Method.class, mode = EnumSource.Mode.EXCLUDE, names = {"READS_WHOLE_BUCKETS", "LEARN", "CLOSE"})
  void faultsAreFound(Method method) {
    final FailingTexts encoding = new FailingTexts();
    EncodingContract.check(encoding, SAMPLE);
    if (method != Method.OPEN && method != Method.MEMORY) {
      encoding.fail(method, null);
      assertThrows(Throwable.class, () -> EncodingContract.check(encoding, SAMPLE));
    }
    encoding.fail(method, new IllegalStateException("boom"));
    final Throwable e = assertThrows(Throwable.class, () -> EncodingContract.check(encoding, SAMPLE));
    assertTrue(e.getMessage().contains("boom"), e.getMessage());
  }
}
