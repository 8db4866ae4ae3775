// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lists of groups, and their coding. */
@ExtendWith(RandomData.Seeded.class)
class GroupListsTest {
  private static byte[] bytes(ByteBuffer buffer) {
    final byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void aListHasTheBitsOfTheExample() {
    final GroupList.Writer list = new GroupList.Writer();
    list.putGroups(new int[] {3, 4, 7}, 0, 3, 0, 7);
    // 5 as 2 and a 1, 3 as 3, and 2, which has 1 added, as 1 and a 1.
    assertEquals(7, list.numBits());
    assertArrayEquals(new byte[] {0b11_11_110}, bytes(list.toBuffer()));
    list.clear();
    list.putGroups(new int[] {0, 1, 2, 3}, 0, 4, 0, 3);
    assertEquals(0, list.numBits());
    list.putGamma(1);
    list.putGamma(6);
    assertArrayEquals(new byte[] {0b10_100_1}, bytes(list.toBuffer()));
  }

  private static BitSet random(RandomData random, int numGroups) {
    final BitSet groups = new BitSet();
    final int share = random.oneOf(List.of(0, 1, 10, 300, 1000));
    for (int group = 0; group < numGroups; ) {
      final int end = Math.min(numGroups, group + random.between(1, random.oneOf(List.of(1, 2, 50))));
      groups.set(group, end, random.nextInt(1000) < share);
      group = end;
    }
    return groups;
  }

  @Test
  void aSizeThatEndsBehindTheBytesIsRefused() throws IOException {
    final GroupLists.Writer writer = new GroupLists.Writer(new OnHeapMemorySegmentWriteOutMedium(), 40);
    for (int slot = 0; slot < GroupLists.LISTS_PER_BLOCK; slot++) {
      writer.add(new int[0], 0);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.writeTo(Channels.newChannel(out));
    final byte[] bytes = out.toByteArray();
    // The last size is a gamma code that starts with 30 zeros in the bytes that readers touch.
    bytes[bytes.length - 9] = 0x7F;
    bytes[bytes.length - 5] = 0x20;
    final GroupLists lists = GroupLists.read("c", ByteBuffer.wrap(bytes), GroupLists.LISTS_PER_BLOCK, 40);
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> lists.size(7));
    assertTrue(e.getMessage().contains("block 0 of lists has no sizes of its lists"), e.getMessage());
  }

  @Test
  void listsAreReadAsTheyWereWritten(RandomData random) throws IOException {
    for (int numGroups : new int[] {1, 2, 3, 63, 64, 65, 1000, 20_000}) {
      final List<BitSet> lists = new ArrayList<>();
      final GroupLists.Writer writer = new GroupLists.Writer(new OnHeapMemorySegmentWriteOutMedium(), numGroups);
      for (int slot = 0; slot < 256; slot++) {
        final BitSet groups = random.nextInt(20) == 0 ? null : random(random, numGroups);
        lists.add(groups);
        if (groups == null) {
          writer.addFrequent();
        } else {
          writer.add(groups.stream().toArray(), groups.cardinality());
        }
      }
      final ByteArrayOutputStream out = new ByteArrayOutputStream();
      writer.writeTo(Channels.newChannel(out));
      assertEquals(writer.sizeInBytes(), out.size());
      final ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.BIG_ENDIAN);
      final GroupLists read = GroupLists.read("c", bytes, 256, numGroups);
      for (int slot = 0; slot < 256; slot++) {
        final BitSet expected = lists.get(slot);
        assertEquals(expected == null ? new BitSet() : expected, read.groups(slot));
        assertEquals(expected == null, read.size(slot) == GroupLists.FREQUENT);
        assertEquals(expected != null && expected.isEmpty(), read.size(slot) == 0);
      }
      final RuntimeException e = assertThrows(
          RuntimeException.class, () -> GroupLists.read("c", bytes.slice(0, out.size() - 1), 256, numGroups));
      assertTrue(e.getMessage().contains("expected " + out.size()), e.getMessage());
    }
  }
}
