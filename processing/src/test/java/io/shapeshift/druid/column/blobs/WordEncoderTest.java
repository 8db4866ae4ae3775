// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** Words of byte strings: what is kept on the heap until they are written, and which modes are refused. */
class WordEncoderTest {
  private static final int WORDS = 300_000;

  /** A segment can have hundreds of encoded sections before the first is written. */
  @Test
  void tableOfWordsIsNotKept() throws Exception {
    final OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
    final BlobSpill values = new BlobSpill(medium);
    final byte[] value = new byte[16 + Long.BYTES * 1000];
    for (int start = 0; start < 2 * WORDS; start += 1000) {
      for (int i = 0; i < 1000; i++) {
        ByteBuffer.wrap(value).putLong(16 + Long.BYTES * i, Words.mix((start + i) % WORDS));
      }
      values.add(value, 0, value.length);
    }
    values.complete();
    final WordEncoder encoder = new WordEncoder(values, Long.BYTES, 16, OptimizationTarget.FASTBUTSMALLISH);
    encoder.estimate();
    final EncodedBlobs encoded = encoder.encode("c", medium);
    assertTrue(encoded.size() < 2 * Long.BYTES * WORDS);
    final long entries = arrayElements(encoded, Collections.newSetFromMap(new IdentityHashMap<>()));
    assertTrue(entries < WORDS, () -> entries + " elements of arrays");
  }

  /** Values that are heads alone have no words, and these no range. */
  @Test
  void rangeOfNoWordsIsZero() throws Exception {
    final OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
    final BlobSpill values = new BlobSpill(medium);
    values.add(new byte[]{1, 2, 3}, 0, 3);
    values.add(new byte[]{4, 5}, 0, 2);
    values.complete();
    final WordEncoder encoder = new WordEncoder(values, Long.BYTES, 16, OptimizationTarget.FASTBUTSMALLISH);
    encoder.estimate();
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    encoder.encode("c", medium).writeContentTo(Channels.newChannel(out));
    final int offsetOfRange = 2 + 1 + Long.BYTES;
    assertEquals(0, ByteBuffer.wrap(out.toByteArray()).getLong(offsetOfRange));
  }

  /** Returns the number of elements of all arrays of numbers in an object of this package and its parts. */
  private static long arrayElements(Object root, Set<Object> seen) throws IllegalAccessException {
    long sum = 0;
    for (Class<?> type = root.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
          continue;
        }
        field.setAccessible(true);
        final Object part = field.get(root);
        if (part == null || !seen.add(part)) {
          continue;
        }
        if (part.getClass().isArray()) {
          sum += Array.getLength(part);
        } else if (part.getClass().getPackage().equals(BlobSpill.class.getPackage())) {
          sum += arrayElements(part, seen);
        }
      }
    }
    return sum;
  }

  /** The sum of two such runs overflows, and so would positions of values. */
  @Test
  void runsBeyondLongsAreRefused() {
    final WordCode code = new WordCode(Long.BYTES, 10, 1L << 62);
    assertTrue(code.isValid(4, 2 + 1));
    assertFalse(code.isValid(4, 2 * 2 + 1));
    assertFalse(code.isValid(4, 2 * 4 + 1));
    assertTrue(code.isValid(4, 2 * 4));
  }
}
