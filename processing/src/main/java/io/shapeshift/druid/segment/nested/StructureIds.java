// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.form.Checks;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Ids that a field has in the rows of each structure.
 *
 * @see NestedFieldFormat the format
 */
final class StructureIds {
  /** Id of each structure. */
  private final int[] ids;
  /** Structures in the order of their ids. */
  private final int[] structures;

  private StructureIds(int[] ids) {
    this.ids = ids;
    this.structures = new int[ids.length];
    Arrays.setAll(structures, structure -> structure);
    IntArrays.radixSortIndirect(structures, ids, true);
  }

  /**
   * Reads the ids.
   *
   * @param name          name of the column and the field, for messages
   * @param in            the bytes
   * @param numStructures number of structures, with that of null and of kept rows
   * @param numIds        number of ids of the field
   * @throws ColumnFormatException if they are damaged
   */
  static StructureIds read(String name, ByteBuffer in, int numStructures, int numIds) {
    try {
      final int[] ids = new int[numStructures];
      for (int structure = Structures.KEPT; in.hasRemaining(); ) {
        structure += Checks.readInt("the distance of a structure", in, 1, numStructures - 1 - structure);
        ids[structure] = Checks.readInt("the id of structure " + structure, in, 1, numIds - 1);
      }
      return new StructureIds(ids);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(name, "its ids of structures, at offset " + in.position() + ": ", e);
    }
  }

  /** Returns the id of each structure. */
  int[] ids() {
    return ids;
  }

  /** Returns the structures with an id. */
  BitSet structuresOf(int id) {
    final BitSet found = new BitSet();
    for (int at = lowerBound(id); at < structures.length && ids[structures[at]] == id; at++) {
      found.set(structures[at]);
    }
    return found;
  }

  private int lowerBound(int id) {
    int from = 0;
    int to = structures.length;
    while (from < to) {
      final int middle = (from + to) >>> 1;
      if (ids[structures[middle]] < id) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
