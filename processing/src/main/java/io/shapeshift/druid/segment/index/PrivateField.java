// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.logger.Logger;

/**
 * Private field of a class of Druid's.
 *
 * @param owner  the class; null if this Druid has no such field, and then no object has it
 * @param handle access to the field
 */
record PrivateField(@Nullable Class<?> owner, @Nullable VarHandle handle) {
  private static final Logger LOG = new Logger(PrivateField.class);

  /** Finds a field of a type in the class with a name. */
  static PrivateField of(String owner, String name, Class<?> type) {
    try {
      final Class<?> ownerClass = Class.forName(owner);
      final MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(ownerClass, MethodHandles.lookup());
      return new PrivateField(ownerClass, lookup.findVarHandle(ownerClass, name, type));
    } catch (ReflectiveOperationException e) {
      LOG.warn(e, "Filters test each text of a dictionary: this Druid has another " + owner);
      return new PrivateField(null, null);
    }
  }

  /** Whether the class of an object is the one with the field. */
  boolean isOf(Object object) {
    return object.getClass() == owner;
  }

  /** Returns the field's value in an object of the class. */
  @Nullable
  Object get(Object object) {
    return handle.get(object);
  }
}
