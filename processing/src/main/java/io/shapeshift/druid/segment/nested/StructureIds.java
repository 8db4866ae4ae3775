// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.form.Checks;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import javax.annotation.Nullable;

/**
 * Ids that a field has in the rows of each structure. Structures without the field take no memory, because a column may
 * have thousands of structures and of fields, and whole objects are read from all fields. Thread-safe.
 *
 * @see NestedFieldFormat the format
 */
final class StructureIds {
  /** Structures per structure with the field, at most, of fields whose ids are kept by structure from the start. */
  private static final int STRUCTURES_PER_ID = 4;

  private final int numStructures;
  /** Structures whose id is not 0, ascending. */
  private final int[] structures;
  /** Id of each of them. */
  private final int[] ids;
  /** Places in both arrays, in the order of the ids. */
  private final int[] byId;
  /** Id of each structure; null until it is needed. */
  @Nullable
  private volatile int[] all;

  private StructureIds(int numStructures, int[] structures, int[] ids) {
    this.numStructures = numStructures;
    this.structures = structures;
    this.ids = ids;
    this.byId = new int[ids.length];
    Arrays.setAll(byId, place -> place);
    IntArrays.radixSortIndirect(byId, ids, true);
    if ((long) STRUCTURES_PER_ID * ids.length >= numStructures) {
      ofAll();
    }
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
      final IntArrayList structures = new IntArrayList();
      final IntArrayList ids = new IntArrayList();
      for (int structure = Structures.KEPT; in.hasRemaining(); ) {
        structure += Checks.readInt("the distance of a structure", in, 1, numStructures - 1 - structure);
        structures.add(structure);
        ids.add(Checks.readInt("the id of structure " + structure, in, 1, numIds - 1));
      }
      return new StructureIds(numStructures, structures.toIntArray(), ids.toIntArray());
    } catch (RuntimeException e) {
      throw ColumnFormatException.notRead(name, "its ids of structures, at offset " + in.position() + ": ", e);
    }
  }

  /** Returns the id of a structure. */
  int of(int structure) {
    @Nullable final int[] known = all;
    if (known != null) {
      return known[structure];
    }
    final int found = Arrays.binarySearch(structures, structure);
    return found < 0 ? 0 : ids[found];
  }

  /** Returns the id of each structure, for callers that read many rows of the field; it must not be changed. */
  int[] ofAll() {
    @Nullable int[] known = all;
    if (known == null) {
      known = new int[numStructures];
      for (int place = 0; place < ids.length; place++) {
        known[structures[place]] = ids[place];
      }
      all = known;
    }
    return known;
  }

  /**
   * Adds the structures with an id in a range.
   *
   * @param from first id
   * @param to   end of the ids, exclusive
   */
  void addStructuresOf(int from, int to, BitSet out) {
    if (from <= 0 && to > 0) {
      final BitSet others = new BitSet(numStructures);
      for (int structure : structures) {
        others.set(structure);
      }
      others.flip(0, numStructures);
      out.or(others);
    }
    for (int at = lowerBound(from); at < byId.length && ids[byId[at]] < to; at++) {
      out.set(structures[byId[at]]);
    }
  }

  private int lowerBound(int id) {
    int from = 0;
    int to = byId.length;
    while (from < to) {
      final int middle = (from + to) >>> 1;
      if (ids[byId[middle]] < id) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}
