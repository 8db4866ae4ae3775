// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.nested.NestedPathArrayElement;
import org.apache.druid.segment.nested.NestedPathField;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;

/**
 * Tree of the paths that were seen in objects, and the keys in them. It has all paths that lead to fields, and others
 * up to a bound, because objects may have any number of keys without values. Not thread-safe.
 */
final class PathTree {
  /** Most bytes of paths that lead to no field, by the estimate of {@link #PATH_BYTES} and the length of the key. */
  private static final int MAX_FRUITLESS_BYTES = 1 << 23;
  private static final int PATH_BYTES = 1 << 7;
  /** Most elements of an array that are remembered to lead to no field. */
  private static final int MAX_FRUITLESS_ELEMENTS = 1 << 8;
  /** Key of a path that ends in an element of an array, and of keys that UTF-8 changes. */
  static final int NO_KEY = -1;

  private final FieldPaths paths;
  private final List<String> keys = new ArrayList<>();
  private final Map<String, Integer> idsOfKeys = new HashMap<>();
  private int fruitlessBytes;
  private final Path root;

  PathTree(FieldPaths paths) {
    this.paths = paths;
    final String text = NestedPathFinder.JSON_PATH_ROOT;
    this.root = new Path(text, null, NO_KEY, paths.field(paths.search(text)));
  }

  /** Returns the path of whole objects. */
  Path root() {
    return root;
  }

  /** Returns all keys, by their number. */
  List<String> keys() {
    return keys;
  }

  /** Path that was seen. */
  static final class Path {
    private static final Path[] NO_ELEMENTS = {};

    /** Its text; null if no field's path starts with it. */
    @Nullable
    private final String text;
    /** Its last key; null if it ends in an element of an array, or is the root. */
    @Nullable
    private final String key;
    final int keyId;
    /** Its field, or {@link FieldPaths#NONE}. */
    final int field;
    /** Path that followed this one in the last object, as a guess of the next. */
    @Nullable
    Path next;
    /** Path of the first entry of the last object. */
    @Nullable
    Path first;
    @Nullable
    private Map<String, Path> entries;
    private Path[] elements = NO_ELEMENTS;
    /** Path of all elements without a field. */
    @Nullable
    private Path fruitlessElement;

    private Path(@Nullable String text, @Nullable String key, int keyId, int field) {
      this.text = text;
      this.key = key;
      this.keyId = keyId;
      this.field = field;
    }

    boolean hasKey(String other) {
      return other.equals(key);
    }
  }

  /** Returns the path of a part of an object or array; null if it leads to no field. */
  @Nullable
  private Path find(Path parent, NestedPathPart part, @Nullable String key) {
    if (parent.text == null) {
      return null;
    }
    final String text = parent.text
        + NestedPathFinder.toNormalizedJsonPath(List.of(part)).substring(NestedPathFinder.JSON_PATH_ROOT.length());
    final int found = paths.search(text);
    return paths.isPrefix(found, text)
           ? new Path(text, key, key == null ? NO_KEY : idOf(key), paths.field(found))
           : null;
  }

  /** Returns the path of an entry of an object; null if it leads to no field, and there are too many such paths. */
  @Nullable
  Path entry(Path parent, String key) {
    if (parent.entries == null) {
      parent.entries = new HashMap<>();
    }
    @Nullable final Path known = parent.entries.get(key);
    return known == null ? addEntry(parent, key) : known;
  }

  @Nullable
  private Path addEntry(Path parent, String key) {
    @Nullable Path path = find(parent, new NestedPathField(key), key);
    if (path == null) {
      if (fruitlessBytes >= MAX_FRUITLESS_BYTES) {
        return null;
      }
      fruitlessBytes += PATH_BYTES + Math.min(key.length(), MAX_FRUITLESS_BYTES);
      path = new Path(null, key, idOf(key), FieldPaths.NONE);
    }
    parent.entries.put(key, path);
    return path;
  }

  private int idOf(String key) {
    if (Texts.isChangedByUtf8(key)) {
      return NO_KEY;
    }
    return idsOfKeys.computeIfAbsent(key, added -> {
      keys.add(added);
      return keys.size() - 1;
    });
  }

  /** Returns the path of an element of an array. */
  Path element(Path parent, int index) {
    if (index < parent.elements.length && parent.elements[index] != null) {
      return parent.elements[index];
    }
    @Nullable final Path path = find(parent, new NestedPathArrayElement(index), null);
    if (path != null) {
      return addElement(parent, index, path);
    }
    if (parent.fruitlessElement == null) {
      parent.fruitlessElement = new Path(null, null, NO_KEY, FieldPaths.NONE);
    }
    return parent.text != null && index < MAX_FRUITLESS_ELEMENTS
           ? addElement(parent, index, parent.fruitlessElement)
           : parent.fruitlessElement;
  }

  private static Path addElement(Path parent, int index, Path path) {
    if (index >= parent.elements.length) {
      parent.elements = Arrays.copyOf(parent.elements, Math.max(index + 1, 2 * parent.elements.length));
    }
    parent.elements[index] = path;
    return path;
  }
}
