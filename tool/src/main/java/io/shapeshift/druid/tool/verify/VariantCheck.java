// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.Place;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/**
 * Check of {@code auto} columns with values of several types, or with arrays, in addition to that of their rows and
 * bitmaps.
 */
final class VariantCheck {
  private static final String ELEMENTS = ColumnSerializerUtils.ARRAY_ELEMENT_DICTIONARY_FILE_NAME;

  private static final String SCALARS = "Druid 26 indexed values that are no arrays as elements of arrays: filters on"
      + " elements (ARRAY_CONTAINS) find their rows as well. Ingest or compact the segment again";

  private final SegmentColumn column;
  private final RowPart part;
  private final RowValues.Ids ids;
  private final GlobalDictionaries dictionaries;

  private VariantCheck(SegmentColumn column, RowPart part, RowValues.Ids ids, GlobalDictionaries dictionaries) {
    this.column = column;
    this.part = part;
    this.ids = ids;
    this.dictionaries = dictionaries;
  }

  /**
   * Checks the dictionaries, and that the index of each array element has exactly the rows whose arrays have the
   * element.
   *
   * @param ids ids across all dictionaries
   * @return description of an error that Druid itself makes when it writes; null if there is none
   * @throws Damage that names the first wrong value or row
   */
  @Nullable
  static String check(SegmentColumn column, RowPart part, RowValues.Ids ids) {
    return Damage.reading("the dictionaries", () -> {
      try (BaseColumn opened = column.holder().getColumn()) {
        final GlobalDictionaries dictionaries = GlobalDictionaries.of(column, (NestedCommonFormatColumn) opened);
        dictionaries.check();
        ColumnCheck.checkCardinality(part, dictionaries.size());
        return new VariantCheck(column, part, ids, dictionaries).checkElements();
      }
    });
  }

  /** Describes an error that Druid itself makes when it writes; null if there is none. */
  @Nullable
  private String checkElements() {
    final IndexPart index = column.parts().elements();
    if (column.parent() != null && index.size() == 0) {
      // Druid 37 stores no array elements in projections.
      return null;
    }
    final FixedIndexed<Integer> elements = readElements();
    DictionaryCheck.checkLookUp(ELEMENTS, elements);
    if (elements.size() != index.size()) {
      throw new Damage("its file " + ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME + " is of "
          + index.size() + " elements, but its file " + ELEMENTS + " has " + elements.size());
    }
    try {
      IndexCheck.checkElements(column, part, elementsOfRows(elements, false), elements::get);
      return null;
    } catch (Damage damage) {
      try {
        IndexCheck.checkElements(column, part, elementsOfRows(elements, true), elements::get);
        return SCALARS;
      } catch (Damage alsoDamage) {
        throw damage;
      }
    }
  }

  private FixedIndexed<Integer> readElements() {
    final SegmentColumn owner = GlobalDictionaries.owner(column);
    final ByteBuffer bytes = owner.internalFiles().get(ELEMENTS);
    return FixedIndexed.read(
        bytes.duplicate(), CompressedNestedDataComplexColumn.INT_TYPE_STRATEGY, owner.order(), Integer.BYTES).get();
  }

  /**
   * Positions of each row's array elements in their dictionary.
   *
   * @param withScalars whether a value that is neither an array nor null counts as an element, as in Druid 26
   */
  private RowValues.MultiIds elementsOfRows(FixedIndexed<Integer> elements, boolean withScalars) {
    final int[] offsets = new int[ids.rows() + 1];
    final IntArrayList positions = new IntArrayList();
    // Cached, because many rows may have the same array, and reading an array is slow.
    final int[][] arrays = new int[dictionaries.arrays().size()][];
    for (int row = 0; row < ids.rows(); row++) {
      final int array = ids.ids()[row] - dictionaries.numScalars();
      if (array >= 0) {
        if (arrays[array] == null) {
          arrays[array] = positions(row, elements);
        }
        positions.addElements(positions.size(), arrays[array]);
      } else if (withScalars && ids.ids()[row] != 0) {
        final int position = elements.indexOf(ids.ids()[row]);
        if (position >= 0) {
          positions.add(position);
        }
      }
      offsets[row + 1] = positions.size();
    }
    return new RowValues.MultiIds(offsets, positions.toIntArray(), elements.size());
  }

  private int[] positions(int row, FixedIndexed<Integer> elements) {
    final int[] positions = dictionaries.elements(ids.ids()[row]);
    for (int i = 0; i < positions.length; i++) {
      final int element = positions[i];
      positions[i] = elements.indexOf(element);
      if (positions[i] < 0) {
        throw new Damage("row " + row + Place.of(part, ids, row) + " has element " + element + ", but its file "
            + ELEMENTS + " does not");
      }
    }
    return positions;
  }
}
