// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import java.nio.ByteBuffer;
import java.util.Iterator;
import javax.annotation.Nullable;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.data.Indexed;

/**
 * Stock dictionary whose texts are not sorted, so that Druid refuses look-ups in it. Only null is looked up, because a
 * merge does so in each dictionary. This is possible because null always comes first.
 */
final class UnsortedTexts implements Indexed<ByteBuffer> {
  private static final int ABSENT = -1;

  private final Indexed<ByteBuffer> texts;

  UnsortedTexts(Indexed<ByteBuffer> texts) {
    this.texts = texts;
  }

  @Override
  public int size() {
    return texts.size();
  }

  @Nullable
  @Override
  public ByteBuffer get(int index) {
    return texts.get(index);
  }

  /** Looks up null. For a text throws Druid's exception. */
  @Override
  public int indexOf(@Nullable ByteBuffer value) {
    if (value != null) {
      return texts.indexOf(value);
    }
    return texts.size() > 0 && texts.get(0) == null ? 0 : ABSENT;
  }

  @Override
  public boolean isSorted() {
    return false;
  }

  @Override
  public Iterator<ByteBuffer> iterator() {
    return texts.iterator();
  }

  @Override
  public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
    inspector.visit("texts", texts);
  }
}
