// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import io.shapeshift.druid.column.ColumnFormatException;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * What a column's descriptor has that this release does not know. Druid ignores what it does not know; but what a later
 * release says of a column may be what its values depend on, so that the column is refused when it is opened. Columns
 * beside it are not concerned.
 */
public final class UnknownProperties {
  private final Set<String> names = new TreeSet<>();

  /** Takes note of one. */
  public void add(String name) {
    names.add(name);
  }

  /**
   * Refuses a column whose descriptor lacks a property.
   *
   * @param value of the property; null if it is not there
   * @throws ColumnFormatException that names it, if it is not there
   */
  public static void require(String column, String name, @Nullable Object value) {
    if (value == null) {
      throw ColumnFormatException.damaged(column, "its descriptor has no " + name);
    }
  }

  /**
   * Refuses a column with any.
   *
   * @throws ColumnFormatException that names them, if there are any
   */
  public void refuse(String column) {
    if (!names.isEmpty()) {
      throw ColumnFormatException.newer(
          column, "its descriptor has " + String.join(", ", names) + ", which this druid-shapeshift does not know");
    }
  }
}
