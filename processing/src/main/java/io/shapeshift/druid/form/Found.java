// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Result of a search in a chunk: which values match. */
public enum Found {
  /** No value matches. */
  NONE,
  /** The values whose bits are set match; this may still be none or all. */
  SOME,
  /** All values match. */
  ALL
}
