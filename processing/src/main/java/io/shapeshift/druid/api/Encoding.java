// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Way to store a part of a column. Encodings are stateless and thread-safe: one object serves all columns of a process.
 */
public interface Encoding {
  /**
   * Returns the name, by which columns record that they use this encoding. It never changes: a segment can be read only
   * where an encoding of this name is registered, and that must be able to read everything which was ever written under
   * the name. A new layout needs a new name, unless the bytes say which layout they have.
   *
   * @return two or more words with dots between them, at most 60 characters, as in {@code acme.periodic}: the first
   *     word names the vendor. A word starts with a lower-case letter; lower-case letters, digits and {@code _} follow.
   *     The vendor {@code shapeshift} is reserved
   */
  String name();

  /** Returns the cost of reading; {@link ReadCost} says relative to what. */
  ReadCost cost();
}
