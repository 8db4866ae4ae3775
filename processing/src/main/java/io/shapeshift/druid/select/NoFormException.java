// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

/** None of the forms that a selector has can store a chunk: never of all forms, but perhaps where one was forced. */
public final class NoFormException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  NoFormException(String message) {
    super(message);
  }
}
