// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.structures.Structures;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** Ids by structure are those of most rows, and damaged ones are refused. */
class StructureIdsTest {
  private static final int NUM_ROWS = 5000;
  private static final int NUM_STRUCTURES = 300;
  private static final int NUM_IDS = 200;

  private final Random random = new Random(1);

  private static ByteBuffer bytes(Serializer section) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    section.writeTo(Channels.newChannel(out), null);
    assertEquals(section.getSerializedSize(), out.size());
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static StructureIds read(ByteBuffer bytes) {
    return StructureIds.read("column $.field", bytes, NUM_STRUCTURES, NUM_IDS);
  }

  /** One encoder serves several fields, whose values differ from those of their structure in few rows. */
  @Test
  void encoded() throws IOException {
    final int[] structureOfRow = random.ints(NUM_ROWS, 0, NUM_STRUCTURES).toArray();
    final StructureIdsEncoder encoder = new StructureIdsEncoder(structureOfRow, NUM_STRUCTURES);
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      for (int field = 0; field < 20; field++) {
        final int offset = random.nextInt(1000);
        final int rare = 1 + random.nextInt(3);
        final PresentValues present = new PresentValues(medium.makeWriteOutBytes());
        final int[] idOfRow = new int[NUM_ROWS];
        for (int row = 0; row < NUM_ROWS; row++) {
          final int structure = structureOfRow[row];
          if (structure >= Structures.KEPT && structure % rare == 0) {
            idOfRow[row] = row % 40 == 0 ? 1 + random.nextInt(NUM_IDS - 1) : 1 + (structure + offset) % (NUM_IDS - 1);
            present.add(row, idOfRow[row]);
          }
        }
        final int numExceptions = encoder.vote(present, 0);
        final Map<Integer, Integer> exceptions = new HashMap<>();
        encoder.forEachException(present, exceptions::put);
        assertEquals(numExceptions, exceptions.size());
        assertTrue(numExceptions < NUM_ROWS / 16, "exceptions: " + numExceptions);
        final StructureIds ids = read(bytes(encoder.encode(id -> id)));
        for (int row = 0; row < NUM_ROWS; row++) {
          assertEquals(idOfRow[row], exceptions.getOrDefault(row, ids.of(structureOfRow[row])));
        }
        assertInverse(ids);
      }
    }
  }

  private static void assertInverse(StructureIds ids) {
    final BitSet all = new BitSet();
    for (int id = 0; id < NUM_IDS; id++) {
      final int expected = id;
      final BitSet structures = new BitSet();
      ids.addStructuresOf(id, id + 1, structures);
      structures.stream().forEach(structure -> {
        assertEquals(expected, ids.of(structure));
        assertEquals(expected, ids.ofAll()[structure]);
      });
      all.or(structures);
    }
    assertEquals(NUM_STRUCTURES, all.cardinality());
  }

  /** Whole objects are read from all fields at once, each of which few structures have. */
  @Test
  void manyFieldsOfManyStructures() {
    final int numStructures = 1 << 16;
    final List<StructureIds> fields = new ArrayList<>();
    for (int field = 0; field < 20_000; field++) {
      // Structures 3 and 5.
      final ByteBuffer bytes = ByteBuffer.wrap(new byte[]{(byte) 0x82, (byte) 0x81, (byte) 0x82, (byte) 0x82});
      fields.add(StructureIds.read("column $.field" + field, bytes, numStructures, NUM_IDS));
    }
    for (StructureIds field : fields) {
      assertEquals(1, field.of(3));
      assertEquals(0, field.of(4));
      assertEquals(2, field.of(5));
      assertEquals(0, field.of(numStructures - 1));
    }
    final BitSet without = new BitSet();
    fields.get(0).addStructuresOf(0, 1, without);
    assertEquals(numStructures - 2, without.cardinality());
  }

  @Test
  void damaged() {
    assertDamaged("the distance of a structure at offset 0 is 0, expected 1 to 298", 0x80, 0x81);
    assertDamaged("the distance of a structure at offset 2 is 298, expected 1 to 297", 0x81, 0x81, 0x2A, 0x82, 0x81);
    assertDamaged("the id of structure 2 at offset 1 is 0, expected 1 to 199", 0x81, 0x80);
    assertDamaged("the id of structure 3 at offset 1 is 200, expected 1 to 199", 0x82, 0x48, 0x81);
    assertDamaged("java.nio.BufferUnderflowException", 0x81);
    assertDamaged("java.nio.BufferUnderflowException", 0x81, 0x81, 0x01);
    final ByteBuffer tooMany = ByteBuffer.wrap(new byte[]{(byte) 0x81, (byte) 0x81});
    assertThrows(
        ColumnFormatException.class, () -> StructureIds.read("column $.field", tooMany, Structures.KEPT + 1, 2));
  }

  private static void assertDamaged(String expected, int... bytes) {
    final ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
    for (int each : bytes) {
      buffer.put((byte) each);
    }
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> read(buffer.flip()));
    assertTrue(
        e.getMessage().contains("column $.field") && e.getMessage().contains(expected), e::getMessage);
  }
}
