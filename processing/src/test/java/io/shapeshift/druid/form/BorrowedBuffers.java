// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Shows tests of other packages what the pools have lent. */
public final class BorrowedBuffers {
  private BorrowedBuffers() {}

  /** How many arrays and buffers are borrowed from all pools. */
  public static long count() {
    return Pools.borrowed();
  }
}
