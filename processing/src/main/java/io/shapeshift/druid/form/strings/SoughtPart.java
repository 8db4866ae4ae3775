// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.nio.charset.StandardCharsets;

/**
 * Part that is looked for in the texts of buckets.
 *
 * @param bytes            one character for each byte in UTF-8, at least one; in lower case if case is ignored
 * @param ignoresCase      whether the letters A to Z equal those in lower case
 * @param hasForeignEquals whether texts outside ASCII may have the part in other characters, and are found too
 * @param isExact          whether only the ids of the texts that have the part are wanted
 */
public record SoughtPart(String bytes, boolean ignoresCase, boolean hasForeignEquals, boolean isExact) {
  /** Returns the part in UTF-8. */
  byte[] utf8() {
    return bytes.getBytes(StandardCharsets.ISO_8859_1);
  }
}
