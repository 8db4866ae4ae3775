// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Which values of a chunk are among those that were looked for. */
public enum Found {
  /** None. */
  NONE,
  /** Those whose bits are set; that may still be none or all of them. */
  SOME,
  /** All. */
  ALL
}
