// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.form.numbers.FilterFailure;
import java.util.function.Supplier;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.junit.jupiter.api.Test;

class ComputedIndexTest {
  private static ImmutableBitmap ofTest(Supplier<ImmutableBitmap> rows) {
    return ComputedIndex.ofTest((applied, total) -> true, includeUnknown -> rows.get())
        .computeBitmapResult(new DefaultBitmapResultFactory(RoaringBitmapFactory.INSTANCE), 1, 1, false);
  }

  private static Supplier<ImmutableBitmap> failing(Error failure) {
    return () -> {
      throw failure;
    };
  }

  @Test
  void failuresOfATestLeaveItToTheRows() {
    for (Error failure : new Error[] {new StackOverflowError("of a regular expression"), new AssertionError()}) {
      assertNull(ofTest(() -> FilterFailure.guard(failing(failure))));
    }
  }

  /** These are faults of ours, or memory that is used up: to go on would hide them. */
  @Test
  void otherFailuresReachTheQuery() {
    for (Error failure : new Error[] {new StackOverflowError("of a scan"), new AssertionError()}) {
      assertSame(failure, assertThrows(Error.class, () -> ofTest(failing(failure))));
    }
    final OutOfMemoryError memory = new OutOfMemoryError();
    assertSame(memory, assertThrows(Error.class, () -> ofTest(() -> FilterFailure.guard(failing(memory)))));
    final IllegalStateException ours = new IllegalStateException();
    assertSame(ours, assertThrows(RuntimeException.class, () -> ofTest(() -> {
      throw ours;
    })));
  }
}
