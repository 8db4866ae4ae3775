// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import java.io.IOException;

/** Receiver of the values of an object's fields. */
@FunctionalInterface
public interface FieldSink {
  /**
   * Adds the value of a field of the current object. A field has at most one value per object.
   *
   * @param field index of the field
   * @param value String, Long, Double or Object[] of these and nulls, as Druid's {@code ExprEval} has it; the array is
   *     the sink's
   * @return 0 if reading the field may not return this value; the object is then kept as a whole. Any other number,
   *     for example the id of the value, if it returns this value.
   */
  int add(int field, Object value) throws IOException;
}
