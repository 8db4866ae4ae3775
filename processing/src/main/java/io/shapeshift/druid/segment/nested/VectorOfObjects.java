// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import org.apache.druid.segment.vector.ReadableVectorInspector;
import org.apache.druid.segment.vector.ReadableVectorOffset;
import org.apache.druid.segment.vector.VectorObjectSelector;

/** Base class of selectors that compute a vector of objects once for each position of the offset. */
abstract class VectorOfObjects implements VectorObjectSelector {
  private final ReadableVectorOffset offset;
  private final Object[] vector;
  private int id = ReadableVectorInspector.NULL_ID;

  VectorOfObjects(ReadableVectorOffset offset) {
    this.offset = offset;
    this.vector = new Object[offset.getMaxVectorSize()];
  }

  /** Computes the objects of the current vector. */
  abstract void fill(Object[] vector);

  @Override
  public Object[] getObjectVector() {
    if (id != offset.getId()) {
      fill(vector);
      id = offset.getId();
    }
    return vector;
  }

  @Override
  public int getMaxVectorSize() {
    return offset.getMaxVectorSize();
  }

  @Override
  public int getCurrentVectorSize() {
    return offset.getCurrentVectorSize();
  }
}
