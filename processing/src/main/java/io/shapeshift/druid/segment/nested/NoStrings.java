// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.Indexed;

/** Dictionary that has null, and no string. */
enum NoStrings implements Indexed<ByteBuffer> {
  INSTANCE;

  @Override
  public int size() {
    return 1;
  }

  @Nullable
  @Override
  public ByteBuffer get(int index) {
    return null;
  }

  @Override
  public int indexOf(@Nullable ByteBuffer value) {
    return value == null ? 0 : -2;
  }

  @Override
  public boolean isSorted() {
    return true;
  }

  @Override
  public Iterator<ByteBuffer> iterator() {
    return Collections.<ByteBuffer>singletonList(null).iterator();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
}
