// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Checks of a chunk's bytes that all forms share. */
final class Layouts {
  private Layouts() {}

  /** Checks that a chunk or a part of it has the length that its form asks for. */
  static void checkLength(Form<?, ?> form, int length, int expected) {
    if (length != expected) {
      throw new MalformedChunkException(form.name() + " has " + length + " bytes, expected " + expected);
    }
  }

  /** Checks that a chunk is long enough for what its form always has. */
  static void checkLengthAtLeast(Form<?, ?> form, int length, int least) {
    if (length < least) {
      throw new MalformedChunkException(form.name() + " has " + length + " bytes, expected at least " + least);
    }
  }
}
