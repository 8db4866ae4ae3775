// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

/** Checks of texts. */
public final class Texts {
  private Texts() {}

  /** Returns whether a text has half a surrogate pair, for which UTF-8 has no bytes. */
  public static boolean isChangedByUtf8(String text) {
    final int length = text.length();
    for (int i = 0; i < length; i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return isBroken(text, i);
      }
    }
    return false;
  }

  private static boolean isBroken(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      final char found = text.charAt(i);
      if (Character.isSurrogate(found)) {
        if (Character.isLowSurrogate(found)
            || i + 1 == text.length()
            || !Character.isLowSurrogate(text.charAt(i + 1))) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
