// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import io.shapeshift.druid.column.ColumnFormatException;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * Properties of a column descriptor that this release does not know. Druid ignores unknown properties. The extension
 * refuses to open the column instead, because a later release may have added a property on which the values depend.
 * Other columns of the segment stay readable.
 */
public final class UnknownProperties {
  private final Set<String> names = new TreeSet<>();

  /** Adds a property. */
  public void add(String name) {
    names.add(name);
  }

  /**
   * Refuses a column whose descriptor lacks a property.
   *
   * @param value of the property; null if it is absent
   * @throws ColumnFormatException that names the property, if it is absent
   */
  public static void require(String column, String name, @Nullable Object value) {
    if (value == null) {
      throw ColumnFormatException.damaged(column, "its descriptor has no " + name);
    }
  }

  /**
   * Refuses to open a column that has unknown properties.
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
