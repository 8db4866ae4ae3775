// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;
import org.apache.druid.segment.nested.StructuredDataProcessor;

/** Values of an object's fields, found as Druid's NestedDataColumnSerializer finds them: the reference of the walk. */
final class DruidFields extends StructuredDataProcessor {
  /** Paths of the fields; null if each value makes one. */
  @Nullable
  private final List<String> names;
  private final Map<String, Object> values = new TreeMap<>();

  private DruidFields(@Nullable List<String> names) {
    this.names = names;
  }

  /** Values of all paths. */
  static Map<String, Object> of(@Nullable Object value) {
    final DruidFields fields = new DruidFields(null);
    fields.processFields(value);
    return fields.values;
  }

  /** Values of these fields. */
  static Map<String, Object> of(@Nullable Object value, List<String> names) {
    final DruidFields fields = new DruidFields(names);
    fields.processFields(value);
    return fields.values;
  }

  private boolean has(String path) {
    return names == null || names.contains(path);
  }

  @Override
  public ProcessedValue<?> processField(ArrayList<NestedPathPart> fieldPath, @Nullable Object fieldValue) {
    final ExprEval<?> eval = ExprEval.bestEffortOf(fieldValue);
    add(fieldPath, eval.type().isPrimitive() || eval.type().isPrimitiveArray() ? eval.value() : eval.asString());
    return ProcessedValue.NULL_LITERAL;
  }

  @Nullable
  @Override
  public ProcessedValue<?> processArrayField(ArrayList<NestedPathPart> fieldPath, @Nullable List<?> array) {
    final ExprEval<?> eval = ExprEval.bestEffortArray(array);
    return eval.type().isPrimitiveArray() && add(fieldPath, eval.value()) ? ProcessedValue.NULL_LITERAL : null;
  }

  private boolean add(ArrayList<NestedPathPart> fieldPath, @Nullable Object value) {
    final String path = NestedPathFinder.toNormalizedJsonPath(fieldPath);
    if (has(path) && value != null) {
      values.put(path, value);
    }
    return has(path);
  }
}
