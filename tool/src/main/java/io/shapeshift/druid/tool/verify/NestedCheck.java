// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedFieldDictionaryEncodedColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;
import org.roaringbitmap.IntIterator;

/**
 * Check of the fields of nested data. Each field has a column of its own: ids of its own dictionary, whose entries are
 * ids of the dictionaries shared by all fields; numbers in addition to the ids; and indexes.
 */
final class NestedCheck {
  private final SegmentColumn column;
  private final CompressedNestedDataComplexColumn<?, ?> nested;
  private final int numRows;
  private final GlobalDictionaries dictionaries;

  private NestedCheck(SegmentColumn column, CompressedNestedDataComplexColumn<?, ?> nested, int numRows) {
    this.column = column;
    this.nested = nested;
    this.numRows = numRows;
    this.dictionaries = GlobalDictionaries.of(column, nested);
  }

  /**
   * Checks the dictionaries and all fields.
   *
   * @param nested opened column
   * @throws Damage that names the field and its file, if a field is wrong
   */
  static void check(SegmentColumn column, CompressedNestedDataComplexColumn<?, ?> nested, int numRows) {
    Damage.reading("the dictionaries", () -> {
      final NestedCheck check = new NestedCheck(column, nested, numRows);
      check.dictionaries.check();
      return check;
    }).checkFields();
  }

  private void checkFields() {
    final List<List<NestedPathPart>> paths =
        Damage.reading("the names of fields", () -> new ArrayList<>(nested.getNestedFields()));
    for (int i = 0; i < paths.size(); i++) {
      final List<NestedPathPart> path = paths.get(i);
      final String where = "field " + NestedPathFinder.toNormalizedJsonPath(path) + " (file "
          + nested.getFieldFileName(column.file(), nested.getField(path), i) + ")";
      try {
        Damage.reading("its column", () -> {
          final BaseColumnHolder holder = nested.getColumnHolder(path);
          try (BaseColumn opened = holder.getColumn()) {
            checkField(path, holder, (NestedFieldDictionaryEncodedColumn<?>) opened);
          }
          return path;
        });
      } catch (Damage e) {
        throw new Damage(where + ": " + e.getMessage(), e);
      }
    }
  }

  private void checkField(
      List<NestedPathPart> path,
      BaseColumnHolder holder,
      NestedFieldDictionaryEncodedColumn<?> field
  ) {
    final int[] globals = readDictionary(field.getDictionary());
    final RowValues.Ids ids = readIds(field, globals.length);
    checkNulls(ids, globals);
    final Set<ColumnType> types = nested.getFieldTypes(path);
    @Nullable final ColumnType type = types.size() == 1 ? types.iterator().next() : null;
    checkValues(field, ids, globals, type != null && type.isNumeric());
    checkIndexes(holder, ids, globals);
    @Nullable final ArrayElementIndexes elements = IndexCheck.index(holder, ArrayElementIndexes.class);
    if (elements != null) {
      checkElements(elements, (ColumnType) type.getElementType(), ids, globals);
    }
  }

  /** Ids in the shared dictionaries for the ids of a field. */
  private int[] readDictionary(FixedIndexed<Integer> dictionary) {
    final int[] globals = new int[dictionary.size()];
    for (int id = 0; id < globals.length; id++) {
      globals[id] = dictionary.get(id);
      if (globals[id] < 0 || globals[id] >= dictionaries.size()) {
        throw new Damage("its dictionary's id " + id + " stands for id " + globals[id] + ", but there are "
            + dictionaries.size() + " values of all fields");
      }
      if (dictionary.indexOf(globals[id]) != id) {
        throw new Damage("its dictionary's id " + id + " stands for id " + globals[id] + ", for which it finds id "
            + dictionary.indexOf(globals[id]));
      }
    }
    return globals;
  }

  private RowValues.Ids readIds(NestedFieldDictionaryEncodedColumn<?> field, int cardinality) {
    if (field.length() != numRows) {
      throw new Damage("it has " + field.length() + " rows, but its table has " + numRows);
    }
    final int[] ids = new int[numRows];
    for (int row = 0; row < numRows; row++) {
      final int current = row;
      ids[row] = Damage.reading("row " + row, () -> field.getSingleValueRow(current));
      if (ids[row] < 0 || ids[row] >= cardinality) {
        throw new Damage("row " + row + " has id " + ids[row] + ", but its dictionary has " + cardinality + " values");
      }
    }
    return new RowValues.Ids(ids, cardinality);
  }

  /** Checks that no field has a value in a row that is null as a whole. */
  private void checkNulls(RowValues.Ids ids, int[] globals) {
    for (IntIterator nulls = nested.getNullValues().iterator(); nulls.hasNext(); ) {
      final int row = nulls.next();
      if (row < 0 || row >= numRows || globals[ids.ids()[row]] != 0) {
        throw new Damage("row " + row + " has a value, but is null by the column's bitmap of nulls");
      }
    }
  }

  /**
   * Checks the values that queries read from the dictionaries.
   *
   * @param hasNumbers whether the field has numbers in addition to ids; queries then read these
   */
  private void checkValues(
      NestedFieldDictionaryEncodedColumn<?> field,
      RowValues.Ids ids,
      int[] globals,
      boolean hasNumbers
  ) {
    final ObjectReader reader = new ObjectReader(field);
    for (int row = 0; row < numRows; row++) {
      @Nullable final Object value = reader.get(row);
      final int id = ids.ids()[row];
      if (hasNumbers && !Objects.equals(value, dictionaries.scalar(globals[id]))) {
        throw new Damage("row " + row + " is " + value + ", but its id " + id + " stands for "
            + dictionaries.scalar(globals[id]));
      }
    }
  }

  private void checkIndexes(BaseColumnHolder holder, RowValues.Ids ids, int[] globals) {
    @Nullable final DictionaryEncodedStringValueIndex index =
        IndexCheck.index(holder, DictionaryEncodedStringValueIndex.class);
    if (index != null) {
      IndexCheck.checkFieldBitmaps(ids, index::getBitmap, id -> "id " + id);
      return;
    }
    // Druid can be configured to store only a null bitmap for numbers.
    @Nullable final IntList nulls = IndexCheck.nulls(holder, numRows);
    final IntArrayList expected = new IntArrayList();
    for (int row = 0; row < numRows; row++) {
      if (globals[ids.ids()[row]] == 0) {
        expected.add(row);
      }
    }
    if (nulls != null && !nulls.equals(expected)) {
      throw new Damage("its bitmap of nulls has other rows than those that are null by their ids");
    }
  }

  /** Looks up each array element, as queries do. */
  private void checkElements(ArrayElementIndexes index, ColumnType type, RowValues.Ids ids, int[] globals) {
    final int[][] arrays = Arrays.stream(globals).mapToObj(dictionaries::elements).toArray(int[][]::new);
    final int[] elements =
        IntStream.of(ids.ids()).distinct().flatMap(id -> IntStream.of(arrays[id])).sorted().distinct().toArray();
    final int[] offsets = new int[numRows + 1];
    final IntArrayList positions = new IntArrayList();
    for (int row = 0; row < numRows; row++) {
      for (int element : arrays[ids.ids()[row]]) {
        positions.add(Arrays.binarySearch(elements, element));
      }
      offsets[row + 1] = positions.size();
    }
    IndexCheck.checkFieldBitmaps(
        new RowValues.MultiIds(offsets, positions.toIntArray(), elements.length),
        position -> index.containsValue(dictionaries.scalar(elements[position]), type)
                         .computeBitmapResult(new DefaultBitmapResultFactory(null), false),
        position -> "element " + ColumnCheck.quoted(dictionaries.scalar(elements[position]))
    );
  }
}
