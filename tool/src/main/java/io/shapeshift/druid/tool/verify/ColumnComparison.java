// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Maps;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.Place;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.RowReader;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.verify.ColumnCheck.Content;
import it.unimi.dsi.fastutil.ints.IntList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.nested.NestedDataComplexTypeSerde;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;

/** Comparison of a column in two segments by what a query can see, regardless of encodings. */
final class ColumnComparison {
  private final SegmentColumn first;
  private final SegmentColumn second;

  ColumnComparison(SegmentColumn first, SegmentColumn second) {
    this.first = first;
    this.second = second;
  }

  /** Whether both columns have the same bytes. */
  boolean isSameBytes() {
    return first.descriptor().equals(second.descriptor())
        && first.body().equals(second.body())
        && first.internalFiles().equals(second.internalFiles());
  }

  /** First place where the bytes differ. */
  String differentBytes() {
    if (!first.descriptor().equals(second.descriptor())) {
      return "its descriptors differ";
    }
    final int offset = first.body().mismatch(second.body());
    if (offset >= 0) {
      return "its bytes differ from offset " + offset + " on";
    }
    for (Map.Entry<String, ByteBuffer> file : first.internalFiles().entrySet()) {
      if (!file.getValue().equals(second.internalFiles().get(file.getKey()))) {
        return "its file " + file.getKey() + " differs";
      }
    }
    return "the second has more files of it";
  }

  /**
   * Whether both columns have the same bytes, except for row parts, indexes of values and dictionaries in files of
   * their own, and for the description of their encodings. Then only the contents of these files need to be compared.
   */
  boolean isSameBesideRows() {
    final Set<String> rowFiles = new HashSet<>(first.parts().files().keySet());
    final boolean hasSameFiles = !rowFiles.isEmpty() && rowFiles.equals(second.parts().files().keySet())
        && first.parts().indexFiles().keySet().equals(second.parts().indexFiles().keySet())
        && first.parts().numbers().keySet().equals(second.parts().numbers().keySet());
    rowFiles.addAll(first.parts().indexFiles().keySet());
    rowFiles.addAll(first.parts().numbers().keySet());
    if (first.parts().dictionary() != null && second.parts().dictionary() != null) {
      rowFiles.add(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME);
    }
    return hasSameFiles
        && besideRows(first.part()).equals(besideRows(second.part()))
        && first.body().equals(second.body())
        && Maps.filterKeys(first.internalFiles(), file -> !rowFiles.contains(file))
               .equals(Maps.filterKeys(second.internalFiles(), file -> !rowFiles.contains(file)));
  }

  private static JsonNode besideRows(JsonNode part) {
    return ((ObjectNode) part.deepCopy()).without("columnFormatSpec");
  }

  /**
   * First difference of row parts in files of their own, or null if there is none.
   *
   * @throws Damage if a file cannot be read
   */
  @Nullable
  String differentRowFiles() {
    for (Map.Entry<String, RowPart> file : first.parts().files().entrySet()) {
      final RowValues left = RowReader.read(file.getValue(), OptionalInt.empty());
      final RowValues right = RowReader.read(second.parts().files().get(file.getKey()), OptionalInt.empty());
      if (left.rows() != right.rows()) {
        return "its file " + file.getKey() + " has " + in(left.rows() + " rows", right.rows() + " rows");
      }
      for (int row = 0; row < left.rows(); row++) {
        if (!isSame(left, right, row)) {
          return "row " + row + " of its file " + file.getKey() + " differs";
        }
      }
    }
    for (String file : first.parts().numbers().keySet()) {
      if (!first.parts().numbers().get(file).encode(false).equals(second.parts().numbers().get(file).encode(false))) {
        return "its file " + file + " has other numbers";
      }
    }
    @Nullable final String difference = differentStrings();
    return difference == null ? differentIndexes() : difference;
  }

  /** First difference of string dictionaries. Only those of string columns were compared as values. */
  @Nullable
  private String differentStrings() {
    @Nullable final DictionaryPart left = first.parts().dictionary();
    @Nullable final DictionaryPart right = second.parts().dictionary();
    if (left == null || right == null || left.isShared() || right.isShared()) {
      return null;
    }
    return Damage.reading("the strings", () -> {
      final Indexed<ByteBuffer> leftTexts = left.values().get();
      final Indexed<ByteBuffer> rightTexts = right.values().get();
      if (leftTexts.size() != rightTexts.size()) {
        return "it has " + in(leftTexts.size() + " strings", rightTexts.size() + " strings");
      }
      final Iterator<ByteBuffer> others = rightTexts.iterator();
      int id = 0;
      for (ByteBuffer text : leftTexts) {
        if (!Objects.equals(text, others.next())) {
          return "its string " + id + " differs";
        }
        id++;
      }
      return null;
    });
  }

  @Nullable
  private String differentIndexes() {
    for (Map.Entry<String, IndexPart> file : first.parts().indexFiles().entrySet()) {
      @Nullable final String difference = differentRows(
          file.getValue(), second.parts().indexFiles().get(file.getKey()), "its file " + file.getKey());
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  @Nullable
  private String differentRows(IndexPart leftPart, IndexPart rightPart, String where) {
    final IndexValues left = leftPart.read(first.numRows());
    final IndexValues right = rightPart.read(second.numRows());
    if (left.size() != right.size()) {
      return where + " is of " + in(left.size() + " values", right.size() + " values");
    }
    for (int id = 0; id < left.size(); id++) {
      if (!Arrays.equals(
          left.rows(), left.start(id), left.ends()[id], right.rows(), right.start(id), right.ends()[id])) {
        return "the rows of id " + id + " in " + where + " differ";
      }
    }
    return null;
  }

  /**
   * First difference, or null if there is none.
   *
   * @param firstContent  contents of the first column
   * @param secondContent contents of the second column
   * @throws Damage if something can no longer be read
   */
  @Nullable
  String difference(Content firstContent, Content secondContent) {
    if (!capabilities(first).equals(capabilities(second))) {
      return in(capabilities(first), capabilities(second));
    }
    if (firstContent.rows() != secondContent.rows()) {
      return in(firstContent.rows() + " rows", secondContent.rows() + " rows");
    }
    if (firstContent.values() == null || secondContent.values() == null) {
      return differentObjects(firstContent.rows());
    }
    @Nullable String difference = isDictionaryEncoded(firstContent) ? differentDictionaries() : null;
    if (difference == null) {
      difference = differentNulls(firstContent.nulls(), secondContent.nulls());
    }
    if (difference == null) {
      difference = differentValues(firstContent.values(), secondContent.values());
    }
    // Without such an error, indexes agree with the rows.
    final boolean hasNote = firstContent.note() != null || secondContent.note() != null;
    return difference == null && hasNote
           ? differentRows(first.parts().index(), second.parts().index(), "its index")
           : difference;
  }

  private static String in(Object inFirst, Object inSecond) {
    return inFirst + " in the first, " + inSecond + " in the second";
  }

  private static String capabilities(SegmentColumn column) {
    final ColumnCapabilities capabilities = column.holder().getCapabilities();
    final Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", capabilities.asTypeString());
    all.put("dictionaryEncoded", capabilities.isDictionaryEncoded());
    all.put("sorted", capabilities.areDictionaryValuesSorted());
    all.put("unique", capabilities.areDictionaryValuesUnique());
    all.put("multipleValues", capabilities.hasMultipleValues());
    all.put("bitmapIndexes", capabilities.hasBitmapIndexes());
    all.put("spatialIndexes", capabilities.hasSpatialIndexes());
    if (column.complexType() == null) {
      // Druid knows it of complex columns only if they are compressed.
      all.put("nulls", capabilities.hasNulls());
    }
    return all.toString();
  }

  private static boolean isDictionaryEncoded(Content content) {
    return content.values() instanceof RowValues.Ids || content.values() instanceof RowValues.MultiIds;
  }

  @Nullable
  private String differentDictionaries() {
    try (BaseColumn firstColumn = first.holder().getColumn(); BaseColumn secondColumn = second.holder().getColumn()) {
      final DictionaryEncodedColumn<?> left = (DictionaryEncodedColumn<?>) firstColumn;
      final DictionaryEncodedColumn<?> right = (DictionaryEncodedColumn<?>) secondColumn;
      for (int id = 0; id < Math.min(left.getCardinality(), right.getCardinality()); id++) {
        @Nullable final Object leftValue = left.lookupName(id);
        @Nullable final Object rightValue = right.lookupName(id);
        if (!Objects.equals(leftValue, rightValue)) {
          return "the dictionary's id " + id + " is "
              + in(ColumnCheck.quoted(leftValue), ColumnCheck.quoted(rightValue));
        }
      }
      return left.getCardinality() == right.getCardinality()
             ? null
             : "the dictionary has " + in(left.getCardinality() + " values", right.getCardinality() + " values");
    } catch (IOException e) {
      throw new Damage("the dictionary: " + e.getMessage(), e);
    }
  }

  @Nullable
  private static String differentNulls(@Nullable IntList inFirst, @Nullable IntList inSecond) {
    if (Objects.equals(inFirst, inSecond) || (isNone(inFirst) && isNone(inSecond))) {
      return null;
    }
    if (inFirst == null || inSecond == null) {
      return "rows that are null are known " + (inFirst == null ? "in the second only" : "in the first only");
    }
    final int position = Arrays.mismatch(inFirst.toIntArray(), inSecond.toIntArray());
    final boolean isFirst = position >= inSecond.size()
        || (position < inFirst.size() && inFirst.getInt(position) < inSecond.getInt(position));
    return "row " + (isFirst ? inFirst : inSecond).getInt(position) + " is null "
        + (isFirst ? "in the first only" : "in the second only");
  }

  /** Whether there are no null rows. Numbers in old segments have no null index, and no nulls. */
  private static boolean isNone(@Nullable IntList nulls) {
    return nulls == null || nulls.isEmpty();
  }


  @Nullable
  private String differentValues(RowValues left, RowValues right) {
    for (int row = 0; row < left.rows(); row++) {
      if (!isSame(left, right, row)) {
        return "row " + row + " is " + in(describe(first, left, row), describe(second, right, row));
      }
    }
    return null;
  }

  private static boolean isSame(RowValues left, RowValues right, int row) {
    if (left instanceof RowValues.Numbers a && right instanceof RowValues.Numbers b && a.nulls().get(row)) {
      // The stored number of a null row depends on the encoding.
      return b.nulls().get(row);
    }
    if (left instanceof RowValues.Ids a && right instanceof RowValues.Ids b) {
      return a.ids()[row] == b.ids()[row];
    }
    if (left instanceof RowValues.MultiIds a && right instanceof RowValues.MultiIds b) {
      return Arrays.equals(
          a.ids(), a.offsets()[row], a.offsets()[row + 1], b.ids(), b.offsets()[row], b.offsets()[row + 1]);
    }
    if (left instanceof RowValues.Longs a && right instanceof RowValues.Longs b) {
      return a.values()[row] == b.values()[row];
    }
    if (left instanceof RowValues.Floats a && right instanceof RowValues.Floats b) {
      return Float.floatToRawIntBits(a.values()[row]) == Float.floatToRawIntBits(b.values()[row]);
    }
    return left instanceof RowValues.Doubles a
        && right instanceof RowValues.Doubles b
        && Double.doubleToRawLongBits(a.values()[row]) == Double.doubleToRawLongBits(b.values()[row]);
  }

  private static String describe(SegmentColumn column, RowValues values, int row) {
    final String value;
    if (values instanceof RowValues.Numbers numbers && numbers.nulls().get(row)) {
      value = "null";
    } else if (values instanceof RowValues.Ids single) {
      value = describe(column, single.ids()[row]);
    } else if (values instanceof RowValues.MultiIds multi) {
      value = Arrays.stream(multi.ids(), multi.offsets()[row], multi.offsets()[row + 1])
                    .mapToObj(id -> describe(column, id))
                    .collect(Collectors.joining(", ", "[", "]"));
    } else if (values instanceof RowValues.Longs longs) {
      value = String.valueOf(longs.values()[row]);
    } else if (values instanceof RowValues.Floats floats) {
      value = floats.values()[row] + " (bits " + Integer.toHexString(Float.floatToRawIntBits(floats.values()[row]))
          + ")";
    } else {
      final double number = ((RowValues.Doubles) values).values()[row];
      value = number + " (bits " + Long.toHexString(Double.doubleToRawLongBits(number)) + ")";
    }
    return value + Place.of(column.parts().rows(), values, row);
  }

  private static String describe(SegmentColumn column, int id) {
    try (BaseColumn opened = column.holder().getColumn()) {
      return ColumnCheck.quoted(((DictionaryEncodedColumn<?>) opened).lookupName(id)) + " (id " + id + ")";
    } catch (IOException e) {
      throw new Damage("the dictionary: " + e.getMessage(), e);
    }
  }


  @Nullable
  private String differentObjects(int rows) {
    @Nullable final ComplexMetricSerde serde = serde();
    try (ObjectReader left = ObjectReader.open(first); ObjectReader right = ObjectReader.open(second)) {
      for (int row = 0; row < rows; row++) {
        @Nullable final Object leftObject = left.get(row);
        @Nullable final Object rightObject = right.get(row);
        if (!isSame(leftObject, rightObject, serde)) {
          return "row " + row + " is " + in(describe(leftObject), describe(rightObject));
        }
      }
      return left.nested() == null || right.nested() == null
             ? null
             : NestedCheck.differentFields(left.nested(), right.nested());
    } catch (IOException e) {
      throw new Damage("it cannot be closed: " + e.getMessage(), e);
    }
  }

  @Nullable
  private ComplexMetricSerde serde() {
    @Nullable final String type = first.holder().getCapabilities().getComplexTypeName();
    return type == null ? null : ComplexMetrics.getSerdeForType(type);
  }

  private static boolean isSame(@Nullable Object left, @Nullable Object right, @Nullable ComplexMetricSerde serde) {
    if (left instanceof StructuredData one && right instanceof StructuredData other) {
      // Equal ones may have their keys in another order.
      return Arrays.equals(
          NestedDataComplexTypeSerde.INSTANCE.toBytes(one), NestedDataComplexTypeSerde.INSTANCE.toBytes(other));
    }
    if (Objects.deepEquals(left, right)) {
      return true;
    }
    // Objects of many complex types are equal only to themselves, so their serialized bytes are compared.
    return serde != null
        && left != null
        && right != null
        && Arrays.equals(serde.toBytes(left), serde.toBytes(right));
  }

  private static String describe(@Nullable Object value) {
    return value instanceof Object[] array ? Arrays.deepToString(array) : ColumnCheck.quoted(value);
  }
}
