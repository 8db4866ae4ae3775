// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

/**
 * Thrown if no form of a selector can store a chunk. Possible only if the selector does not have all registered forms,
 * for example because one is forced.
 */
public final class NoFormException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  NoFormException(String message) {
    super(message);
  }
}
