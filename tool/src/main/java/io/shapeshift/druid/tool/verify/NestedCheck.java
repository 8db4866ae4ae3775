// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.nested.CompressedNestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.apache.druid.segment.nested.NestedPathPart;

/**
 * Check of the fields of nested data, as queries read them: their values are those of the objects, their ids stand for
 * these values, and their indexes have the rows of the ids.
 */
final class NestedCheck {
  private final SegmentColumn column;
  private final NestedDataComplexColumn nested;
  private final int numRows;

  private NestedCheck(SegmentColumn column, NestedDataComplexColumn nested, int numRows) {
    this.column = column;
    this.nested = nested;
    this.numRows = numRows;
  }

  /**
   * Checks the dictionaries and all fields.
   *
   * @param nested opened column
   * @throws Damage that names the field, and of Druid's columns its file, if a field is wrong
   */
  static void check(SegmentColumn column, NestedDataComplexColumn nested, int numRows) {
    new NestedCheck(column, nested, numRows).run();
  }

  /**
   * Whether fields are compared with objects. Old formats have objects and fields with other nulls, and columns without
   * objects make them of the fields.
   */
  static boolean hasObjects(SegmentColumn column) {
    return column.type().equals("COMPLEX<json>")
        && (column.isNested()
            || (column.isAuto()
                && !column.part().path("columnFormatSpec").path("objectStorageEncoding").asText().equals("none")));
  }

  private void run() {
    if (nested instanceof CompressedNestedDataComplexColumn<?, ?> stock) {
      Damage.reading("the dictionaries", () -> {
        GlobalDictionaries.of(column, stock).check();
        return stock;
      });
    } else {
      checkTextIndexes();
    }
    final List<List<NestedPathPart>> paths =
        Damage.reading("the names of fields", () -> new ArrayList<>(nested.getNestedFields()));
    for (int i = 0; i < paths.size(); i++) {
      final List<NestedPathPart> path = paths.get(i);
      in(where(paths, i), () -> {
        final BaseColumnHolder holder = nested.getColumnHolder(path);
        try (BaseColumn opened = holder.getColumn()) {
          checkField(path, holder, (DictionaryEncodedColumn<?>) opened);
        }
        return path;
      });
    }
    if (hasObjects(column)) {
      NestedValues.check(column, paths, numRows, i -> where(paths, i));
    }
  }

  private void checkTextIndexes() {
    @Nullable final NestedPart part = Damage.reading("its head", () -> NestedPart.of(column));
    if (part != null && part.ours() != null) {
      part.ours().dictionaries().forEach(DictionaryCheck::textIndex);
    }
  }

  /** Name of a field for messages. */
  private String where(List<List<NestedPathPart>> paths, int field) {
    final List<NestedPathPart> path = paths.get(field);
    final String name = "field " + NestedPathFinder.toNormalizedJsonPath(path);
    return nested instanceof CompressedNestedDataComplexColumn<?, ?> stock
           ? name + " (file " + stock.getFieldFileName(column.file(), stock.getField(path), field) + ")"
           : name;
  }

  private static <T> void in(String where, Damage.Read<T> read) {
    try {
      Damage.reading("its column", read);
    } catch (Damage e) {
      throw new Damage(where + ": " + e.getMessage(), e);
    }
  }

  private void checkField(List<NestedPathPart> path, BaseColumnHolder holder, DictionaryEncodedColumn<?> field) {
    final RowValues.Ids ids = readIds(field);
    final Set<ColumnType> types = nested.getFieldTypes(path);
    @Nullable final ColumnType type = types.size() == 1 ? types.iterator().next() : null;
    if (type == null || type.isPrimitive()) {
      checkLookUps(field);
    }
    final ObjectReader values = new ObjectReader(field);
    if (type != null && type.isNumeric()) {
      checkNumbers(field, values, ids);
    }
    checkIndexes(holder, values, ids);
    @Nullable final ArrayElementIndexes elements = IndexCheck.index(holder, ArrayElementIndexes.class);
    if (elements != null) {
      checkElements(elements, (ColumnType) type.getElementType(), values);
    }
  }

  /** Checks that each value that has a text is found by it. A string and a number may have the same. */
  private static void checkLookUps(DictionaryEncodedColumn<?> field) {
    for (int id = 0; id < field.getCardinality(); id++) {
      final int current = id;
      @Nullable final String name = Damage.reading("id " + id, () -> (String) field.lookupName(current));
      if (name == null) {
        continue;
      }
      final int found = Damage.reading("the look-up of id " + id, () -> lookUp(field, name));
      if (found != id && (found < 0 || !name.equals(field.lookupName(found)))) {
        throw new Damage("its dictionary's id " + id + " is \"" + name + "\", for which it finds id " + found);
      }
    }
  }

  @SuppressWarnings("unchecked") // Names of ids are texts.
  private static int lookUp(DictionaryEncodedColumn<?> field, String name) {
    return ((DictionaryEncodedColumn<String>) field).lookupId(name);
  }

  private RowValues.Ids readIds(DictionaryEncodedColumn<?> field) {
    if (field.length() != numRows) {
      throw new Damage("it has " + field.length() + " rows, but its table has " + numRows);
    }
    final int cardinality = field.getCardinality();
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

  /** Checks numbers, which queries do not read by their ids. */
  private void checkNumbers(DictionaryEncodedColumn<?> field, ObjectReader values, RowValues.Ids ids) {
    for (int row = 0; row < numRows; row++) {
      @Nullable final Object value = values.get(row);
      @Nullable final Object ofId = field.lookupName(ids.ids()[row]);
      if (!Objects.equals(value == null ? null : value.toString(), ofId)) {
        throw new Damage("row " + row + " is " + value + ", but its id " + ids.ids()[row] + " stands for " + ofId);
      }
    }
  }

  private void checkIndexes(BaseColumnHolder holder, ObjectReader values, RowValues.Ids ids) {
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
      if (values.get(row) == null) {
        expected.add(row);
      }
    }
    if (nulls != null && !nulls.equals(expected)) {
      throw new Damage("its bitmap of nulls has other rows than those that are null by their ids");
    }
  }

  /** Looks up each array element, as queries do. */
  private void checkElements(ArrayElementIndexes index, ColumnType type, ObjectReader values) {
    final Map<Object, Integer> positions = new LinkedHashMap<>();
    final List<Object> elements = new ArrayList<>();
    final int[] offsets = new int[numRows + 1];
    final IntArrayList rows = new IntArrayList();
    for (int row = 0; row < numRows; row++) {
      if (values.get(row) instanceof Object[] array) {
        for (Object element : array) {
          @Nullable final Integer known = positions.putIfAbsent(element, elements.size());
          if (known == null) {
            elements.add(element);
          }
          rows.add(known == null ? elements.size() - 1 : known);
        }
      }
      offsets[row + 1] = rows.size();
    }
    IndexCheck.checkFieldBitmaps(
        new RowValues.MultiIds(offsets, rows.toIntArray(), elements.size()),
        position -> index.containsValue(elements.get(position), type)
                         .computeBitmapResult(new DefaultBitmapResultFactory(null), false),
        position -> "element " + ColumnCheck.quoted(elements.get(position))
    );
  }

  /**
   * First difference of the fields of two columns, or null if there is none. The values are those of the objects.
   *
   * @param first  column of nested data
   * @param second another
   */
  @Nullable
  static String differentFields(NestedDataComplexColumn first, NestedDataComplexColumn second) {
    final Map<String, ?> left = fields(first);
    final Map<String, ?> right = fields(second);
    return left.equals(right) ? null : "its fields are " + left + " in the first, " + right + " in the second";
  }

  private static Map<String, ?> fields(NestedDataComplexColumn nested) {
    return Damage.reading("the names of fields", () -> ((NestedCommonFormatColumn) nested).getFieldTypeInfo());
  }
}
