// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.List;

/**
 * Normalized JSON paths of a column's fields. They are compared as texts and never parsed, because Druid's writer finds
 * a field by the text of its path, and the text of some keys cannot be parsed.
 */
public final class FieldPaths {
  static final int NONE = -1;

  /** All paths, sorted. */
  private final String[] paths;
  /** Field of each path. */
  private final int[] fields;

  private FieldPaths(String[] paths, int[] fields) {
    this.paths = paths;
    this.fields = fields;
  }

  /**
   * Creates the paths of fields.
   *
   * @param names path of each field, as {@code NestedPathFinder.toNormalizedJsonPath} has it
   */
  public static FieldPaths of(List<String> names) {
    final String[] unsorted = names.toArray(new String[0]);
    final int[] fields = new int[unsorted.length];
    Arrays.setAll(fields, field -> field);
    IntArrays.stableSort(fields, (one, other) -> unsorted[one].compareTo(unsorted[other]));
    final String[] paths = new String[unsorted.length];
    Arrays.setAll(paths, i -> unsorted[fields[i]]);
    return new FieldPaths(paths, fields);
  }

  /** Returns the number of fields. */
  public int size() {
    return fields.length;
  }

  /** Returns the place of a text among the sorted paths: its index, or -1 less the index of the next path. */
  int search(String path) {
    return Arrays.binarySearch(paths, path);
  }

  /** Returns the field whose path was searched for, or {@link #NONE}. */
  int field(int found) {
    return found < 0 ? NONE : fields[found];
  }

  /** Returns whether there is a field whose path starts with the text that was searched for, or is it. */
  boolean isPrefix(int found, String path) {
    return found >= 0 || (-1 - found < paths.length && paths[-1 - found].startsWith(path));
  }
}
