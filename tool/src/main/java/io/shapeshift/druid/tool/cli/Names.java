// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.util.List;
import java.util.stream.Collectors;

/** Lists of names, for people. */
public final class Names {
  /** Number of names in a list before the others are only counted. */
  private static final int MAX_NAMES = 5;

  private Names() {}

  /** Lists the first names, and the number of the others. */
  public static String listed(List<String> names) {
    return names.size() <= MAX_NAMES
           ? String.join(", ", names)
           : names.stream().limit(MAX_NAMES).collect(Collectors.joining(", ")) + " and "
               + (names.size() - MAX_NAMES) + " more";
  }
}
