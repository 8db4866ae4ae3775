// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.segment.nested.StructuredData;

/**
 * Walk through objects that passes the values of fields to a sink and encodes the structure, both in one pass. Not
 * thread-safe.
 *
 * <p>Fields have the values that Druid's {@code NestedDataColumnSerializer} gives them: nulls, and values whose path is
 * not that of a field, are ignored; an array is one value if its elements are scalars and its path is that of a field;
 * booleans are 0 and 1.
 *
 * <p>Objects are rebuilt as Druid reads them from its Smile: maps in the order of their entries, lists, strings,
 * booleans, integers as Integer if they fit and else Long, floats and doubles. Values of which fields do not tell that
 * much have no structure; {@link #kept} says why.
 */
public final class ObjectWalker {
  private static final int CANONICAL_NAN = Float.floatToRawIntBits(Float.NaN);
  private static final long CANONICAL_DOUBLE_NAN = Double.doubleToRawLongBits(Double.NaN);
  private static final Object[] NO_ELEMENTS = {};
  /** Kind of an array that is neither of one kind of scalars, nor of objects. */
  private static final int MIXED = -1;

  private final PathTree tree;
  private final FieldSink sink;
  /** The walk in which each field got its last value. */
  private final int[] lastWalks;
  private int walk;
  private int[] tokens = new int[1 << 6];
  private int numTokens;
  @Nullable
  private Kept kept;

  /**
   * Creates a walker.
   *
   * @param paths paths of the fields
   * @param sink  receives the values of fields
   */
  public ObjectWalker(FieldPaths paths, FieldSink sink) {
    this.tree = new PathTree(paths);
    this.sink = sink;
    this.lastWalks = new int[paths.size()];
  }

  /**
   * Walks through an object.
   *
   * @param value value of a StructuredData: a map, list, array of objects, or scalar
   * @return whether the object can be rebuilt from its structure and fields; the structure is in the walker until the
   *     next walk
   */
  public boolean walk(@Nullable Object value) throws IOException {
    walk++;
    numTokens = 0;
    kept = null;
    walkValue(tree.root(), value, 0);
    return kept == null;
  }

  /** Returns why the last object has no structure; null if it has one. */
  @Nullable
  public Kept kept() {
    return kept;
  }

  /** Returns the tokens of the last structure; the first {@link #numTokens} are valid. */
  int[] tokens() {
    return tokens;
  }

  int numTokens() {
    return numTokens;
  }

  /** Returns the keys to which tokens refer, by their number. */
  List<String> keys() {
    return tree.keys();
  }

  private void keep(Kept reason) {
    if (kept == null) {
      kept = reason;
    }
  }

  private void put(int kind, int argument) {
    if (numTokens == tokens.length) {
      tokens = Arrays.copyOf(tokens, 2 * numTokens);
    }
    tokens[numTokens++] = Tokens.token(kind, argument);
  }

  private void walkValue(PathTree.Path path, @Nullable Object value, int depth) throws IOException {
    if (value == null) {
      put(Tokens.NULL, 0);
      return;
    }
    final Class<?> type = value.getClass();
    if (type == String.class) {
      final String text = (String) value;
      if (Texts.isChangedByUtf8(text)) {
        keep(Kept.TEXT);
      }
      leaf(path, Tokens.STRING, text);
    } else if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class) {
      leaf(path, Tokens.INTEGER, type == Long.class ? value : (Object) ((Number) value).longValue());
    } else if (type == Double.class) {
      keepOtherNan((Double) value);
      leaf(path, Tokens.DOUBLE, value);
    } else if (type == Boolean.class) {
      leaf(path, Tokens.BOOLEAN, (Boolean) value ? 1L : 0L);
    } else if (type == Float.class) {
      keepOtherNan((Float) value);
      leaf(path, Tokens.FLOAT, ((Float) value).doubleValue());
    } else if (value instanceof Map<?, ?> map) {
      walkObject(path, map, depth + 1);
    } else if (value instanceof List<?> list) {
      walkArray(path, list.toArray(NO_ELEMENTS), depth + 1);
    } else if (value instanceof Object[] array) {
      walkArray(path, Arrays.copyOf(array, array.length, Object[].class), depth + 1);
    } else if (value instanceof StructuredData data && data.getValue() instanceof StructuredData inner) {
      // Druid unwraps once.
      walkOther(path, inner);
    } else if (value instanceof StructuredData data) {
      walkValue(path, data.getValue(), depth);
    } else {
      walkOther(path, value);
    }
  }

  private void keepOtherNan(Double value) {
    if (value.isNaN() && Double.doubleToRawLongBits(value) != CANONICAL_DOUBLE_NAN) {
      keep(Kept.NUMBER);
    }
  }

  private void keepOtherNan(Float value) {
    if (value.isNaN() && Float.floatToRawIntBits(value) != CANONICAL_NAN) {
      keep(Kept.NUMBER);
    }
  }

  private void leaf(PathTree.Path path, int kind, Object value) throws IOException {
    if (path.field == FieldPaths.NONE) {
      keep(Kept.NO_FIELD);
    } else {
      add(path.field, value);
      put(kind, path.field);
    }
  }

  private void add(int field, Object value) throws IOException {
    if (lastWalks[field] == walk) {
      keep(Kept.SAME_FIELD);
      return;
    }
    lastWalks[field] = walk;
    if (sink.add(field, value) <= 0) {
      keep(Kept.NOT_STORED);
    }
  }

  /** Adds a value of a class that has no tokens, as Druid does. */
  private void walkOther(PathTree.Path path, Object value) throws IOException {
    keep(value instanceof Number ? Kept.NUMBER : Kept.CLASS);
    if (path.field == FieldPaths.NONE) {
      return;
    }
    final ExprEval<?> eval = ExprEval.bestEffortOf(value);
    @Nullable final Object stored =
        eval.type().isPrimitive() || eval.type().isPrimitiveArray() ? eval.value() : eval.asString();
    if (stored != null) {
      add(path.field, stored);
    }
  }

  private void walkObject(PathTree.Path path, Map<?, ?> map, int depth) throws IOException {
    final int size = map.size();
    start(Tokens.OBJECT, size, depth);
    int found = 0;
    @Nullable PathTree.Path previous = null;
    @Nullable PathTree.Path next = path.first;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      found++;
      // A key of another class is an error in Druid too.
      @Nullable final String key = (String) entry.getKey();
      if (key == null) {
        keep(Kept.KEY);
        continue;
      }
      // Most objects have the keys of the last one in the same order.
      if (next == null || !next.hasKey(key)) {
        next = tree.entry(path, key);
        if (next == null) {
          keep(Kept.KEY);
          continue;
        }
        if (previous == null) {
          path.first = next;
        } else {
          previous.next = next;
        }
      }
      if (next.keyId == PathTree.NO_KEY) {
        keep(Kept.TEXT);
      } else {
        put(Tokens.KEY, next.keyId);
      }
      previous = next;
      walkValue(next, entry.getValue(), depth);
      next = previous.next;
    }
    if (found != size) {
      keep(Kept.SIZE);
    }
  }

  private void start(int kind, int size, int depth) {
    if (depth > Tokens.MAX_DEPTH) {
      keep(Kept.DEPTH);
    }
    if (size > Tokens.MAX_ARGUMENT) {
      keep(Kept.SIZE);
    } else {
      put(kind, size);
    }
  }

  /** Walks through an array, whose elements may be changed. */
  private void walkArray(PathTree.Path path, Object[] elements, int depth) throws IOException {
    if (path.field != FieldPaths.NONE) {
      final int kind = kindOf(elements);
      if (kind == MIXED) {
        final ExprEval<?> eval = ExprEval.bestEffortArray(Arrays.asList(elements));
        if (eval.type().isPrimitiveArray()) {
          keep(Kept.MIXED_ARRAY);
          add(path.field, eval.value());
          return;
        }
      } else if (kind != Tokens.OBJECT) {
        toFieldValues(kind, elements);
        add(path.field, elements);
        put(kind + Tokens.TO_ARRAY, path.field);
        return;
      }
    }
    start(Tokens.ARRAY, elements.length, depth);
    for (int i = 0; i < elements.length; i++) {
      if (elements[i] == null) {
        put(Tokens.NULL, 0);
      } else {
        walkValue(tree.element(path, i), elements[i], depth);
      }
    }
  }

  /**
   * Returns the kind of all elements except nulls, {@link Tokens#STRING} if there are only nulls as in Druid, or
   * {@link #MIXED}.
   */
  private static int kindOf(Object[] elements) {
    int kind = Tokens.NULL;
    for (@Nullable final Object element : elements) {
      if (element != null) {
        final int found = kindOf(element);
        if (found != kind) {
          if (kind != Tokens.NULL) {
            return MIXED;
          }
          kind = found;
        }
      }
    }
    return kind == Tokens.NULL ? Tokens.STRING : kind;
  }

  private static int kindOf(Object element) {
    final Class<?> type = element.getClass();
    if (type == String.class) {
      return Tokens.STRING;
    } else if (type == Integer.class || type == Long.class) {
      // Druid makes strings of arrays of Short or Byte.
      return Tokens.INTEGER;
    } else if (type == Double.class) {
      return Tokens.DOUBLE;
    } else if (type == Float.class) {
      return Tokens.FLOAT;
    } else if (type == Boolean.class) {
      return Tokens.BOOLEAN;
    }
    return element instanceof Map ? Tokens.OBJECT : MIXED;
  }

  private void toFieldValues(int kind, Object[] elements) {
    for (int i = 0; i < elements.length; i++) {
      @Nullable final Object element = elements[i];
      if (element == null) {
        continue;
      }
      switch (kind) {
        case Tokens.STRING -> {
          final String text = (String) element;
          if (Texts.isChangedByUtf8(text)) {
            keep(Kept.TEXT);
          }
        }
        case Tokens.INTEGER -> elements[i] = ((Number) element).longValue();
        case Tokens.DOUBLE -> keepOtherNan((Double) element);
        case Tokens.FLOAT -> {
          keepOtherNan((Float) element);
          elements[i] = ((Float) element).doubleValue();
        }
        default -> elements[i] = (Boolean) element ? 1L : 0L;
      }
    }
  }
}
