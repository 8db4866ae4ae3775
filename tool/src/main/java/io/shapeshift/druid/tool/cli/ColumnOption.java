// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** Option that restricts a command to some columns. Records which of the names were found. */
public final class ColumnOption {
  /** Description of the option. */
  public static final String DESCRIPTION = "only these columns, separated by commas; a column of a projection is "
      + "PROJECTION/NAME. Quote a name with a comma: '\"a,b\",c'. Default: all";

  @Option(
      names = "--columns",
      split = ",",
      converter = ColumnNameConverter.class,
      paramLabel = "NAME",
      description = DESCRIPTION
  )
  private final Set<String> names = new LinkedHashSet<>();

  private final Set<String> found = new LinkedHashSet<>();

  /** Whether the option is present. */
  public boolean isGiven() {
    return !names.isEmpty();
  }

  /**
   * Whether a column is selected.
   *
   * @param name        name of the column in its table
   * @param displayName name of the column, including that of its projection
   */
  public boolean includes(String name, String displayName) {
    if (names.contains(displayName)) {
      found.add(displayName);
      return true;
    }
    if (names.contains(name)) {
      found.add(name);
      return true;
    }
    return names.isEmpty();
  }

  /**
   * Throws an exception if no column had one of the names.
   *
   * @param where description of the searched input, for the message
   */
  public void checkAllFound(String where) {
    final Set<String> missing = new TreeSet<>(names);
    missing.removeAll(found);
    if (!missing.isEmpty()) {
      throw new ToolException(
          where,
          "there is no column " + String.join(", ", missing),
          "'shapeshift inspect' lists all columns"
      );
    }
  }
}
