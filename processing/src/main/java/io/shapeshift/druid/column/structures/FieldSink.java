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
   * @return a positive number, for example the id of the value, if reading the field returns this value; else 0 or
   *     less, and then the object is kept as a whole
   */
  int add(int field, Object value) throws IOException;
}
