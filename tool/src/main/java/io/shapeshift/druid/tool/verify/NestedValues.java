// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.nested.StructuredDataProcessor;

/** Comparison of the fields of nested data with walks of the objects, by Druid's rules of what a field's value is. */
final class NestedValues {
  /** Fields that are open at a time. Each has buffers. Objects are read again for each such group. */
  private static final int GROUP = 64;

  private final SegmentColumn column;
  private final List<List<NestedPathPart>> paths;
  private final List<String> names;
  private final int numRows;
  private final IntFunction<String> where;

  private NestedValues(
      SegmentColumn column,
      List<List<NestedPathPart>> paths,
      int numRows,
      IntFunction<String> where
  ) {
    this.column = column;
    this.paths = paths;
    this.names = paths.stream().map(NestedPathFinder::toNormalizedJsonPath).toList();
    this.numRows = numRows;
    this.where = where;
  }

  /**
   * Compares all fields.
   *
   * @param where name of a field by its position, for messages
   * @throws Damage that names the first field and row with another value than the object's
   */
  static void check(
      SegmentColumn column,
      List<List<NestedPathPart>> paths,
      int numRows,
      IntFunction<String> where
  ) {
    final NestedValues values = new NestedValues(column, paths, numRows, where);
    // Without fields, objects must have no values.
    for (int start = 0; start < Math.max(1, paths.size()); start += GROUP) {
      final int from = start;
      Damage.reading("the fields", () -> {
        values.check(from, Math.min(from + GROUP, paths.size()));
        return values;
      });
    }
  }

  private void check(int from, int to) throws IOException {
    try (Closer closer = Closer.create();
         ObjectReader objects = ObjectReader.open(column)) {
      final NestedDataComplexColumn opened = (NestedDataComplexColumn) closer.register(open());
      final List<ObjectReader> fields = new ArrayList<>();
      for (int field = from; field < to; field++) {
        final List<NestedPathPart> path = paths.get(field);
        fields.add(closer.register(
            new ObjectReader(Damage.reading(where.apply(field), () -> opened.getColumnHolder(path).getColumn()))));
      }
      final Walk walk = new Walk(new HashSet<>(names));
      for (int row = 0; row < numRows; row++) {
        walk.walk(row, objects.get(row));
        for (int field = from; field < to; field++) {
          check(row, field, fields.get(field - from), walk);
        }
      }
    }
  }

  private BaseColumn open() {
    return Damage.reading("the column", () -> column.holder().getColumn());
  }

  private void check(int row, int field, ObjectReader reader, Walk walk) {
    final String name = names.get(field);
    if (walk.repeated.contains(name)) {
      // Keys whose paths are the same: Druid itself keeps one of the values.
      return;
    }
    @Nullable final Object value;
    try {
      value = reader.get(row);
    } catch (Damage e) {
      throw new Damage(where.apply(field) + ": " + e.getMessage(), e);
    }
    @Nullable final Object expected = walk.values.get(name);
    if (!isSame(value, expected)) {
      throw new Damage(where.apply(field) + ": row " + row + " is " + describe(value) + ", but " + describe(expected)
          + " in its object");
    }
  }

  private static boolean isSame(@Nullable Object value, @Nullable Object expected) {
    if (value instanceof Object[] array && expected instanceof Object[] other) {
      if (array.length != other.length) {
        return false;
      }
      for (int i = 0; i < array.length; i++) {
        if (!isSame(array[i], other[i])) {
          return false;
        }
      }
      return true;
    }
    // Half a surrogate pair is stored as a question mark.
    return Objects.equals(value, expected instanceof String text ? StringUtils.fromUtf8(StringUtils.toUtf8(text))
                                                                 : expected);
  }

  private static String describe(@Nullable Object value) {
    return value instanceof Object[] array ? Arrays.deepToString(array) : ColumnCheck.quoted(value);
  }

  /** Values of the fields of an object. */
  private static final class Walk extends StructuredDataProcessor {
    private final Set<String> names;
    private final Map<String, Object> values = new HashMap<>();
    /** Fields that the object has more than once. */
    private final Set<String> repeated = new HashSet<>();
    private int row;

    Walk(Set<String> names) {
      this.names = names;
    }

    void walk(int number, @Nullable Object object) {
      row = number;
      values.clear();
      repeated.clear();
      if (object != null) {
        processFields(StructuredData.wrap(object).getValue());
      }
    }

    @Override
    @SuppressWarnings("NonApiType") // Druid's signature.
    public ProcessedValue<?> processField(ArrayList<NestedPathPart> path, @Nullable Object value) {
      final ExprEval<?> eval = ExprEval.bestEffortOf(value);
      final boolean isValue = eval.type().isPrimitive() || eval.type().isPrimitiveArray();
      put(NestedPathFinder.toNormalizedJsonPath(path), isValue ? eval.value() : eval.asString());
      return ProcessedValue.NULL_LITERAL;
    }

    @Nullable
    @Override
    @SuppressWarnings("NonApiType") // Druid's signature.
    public ProcessedValue<?> processArrayField(ArrayList<NestedPathPart> path, @Nullable List<?> array) {
      final ExprEval<?> eval = ExprEval.bestEffortArray(array);
      final String name = NestedPathFinder.toNormalizedJsonPath(path);
      if (!eval.type().isPrimitiveArray() || !names.contains(name)) {
        return null;
      }
      put(name, eval.value());
      return ProcessedValue.NULL_LITERAL;
    }

    private void put(String name, @Nullable Object value) {
      if (value == null) {
        return;
      }
      if (!names.contains(name)) {
        throw new Damage("row " + row + " has " + describe(value) + " at " + name + ", which is no field");
      }
      if (values.put(name, value) != null) {
        repeated.add(name);
      }
    }
  }
}
