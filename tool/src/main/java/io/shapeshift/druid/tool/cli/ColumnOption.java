// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The option of all commands that can be told to look at some columns only; notes which of them there are. */
public final class ColumnOption {
  @Option(
      names = "--columns",
      split = ",",
      converter = ColumnNameConverter.class,
      paramLabel = "NAME",
      description = "only these columns, by name or, in projections, as PROJECTION/NAME, with commas between them; a "
          + "name with a comma is put in double quotes: '\"a,b\",c'. By default all"
  )
  private final Set<String> names = new LinkedHashSet<>();

  private final Set<String> found = new LinkedHashSet<>();

  /** Whether the option was given. */
  public boolean isGiven() {
    return !names.isEmpty();
  }

  /**
   * Whether a column is wanted.
   *
   * @param name        its name in its table
   * @param displayName its name with that of its projection
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
   * Complains of names that no column had.
   *
   * @param where what was searched, for the message
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
