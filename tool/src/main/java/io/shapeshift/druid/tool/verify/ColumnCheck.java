// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.google.common.base.Strings;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.Place;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.RowReader;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import it.unimi.dsi.fastutil.ints.IntList;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/** Check of every value of a column against other data in the segment. */
final class ColumnCheck {
  private final SegmentColumn column;
  private final OptionalInt expectedRows;

  /**
   * Creates a check.
   *
   * @param expectedRows number of rows of the column's table, if known
   */
  ColumnCheck(SegmentColumn column, OptionalInt expectedRows) {
    this.column = column;
    this.expectedRows = expectedRows;
  }

  /**
   * Contents of a checked column.
   *
   * @param rows   number of rows
   * @param values ids or numbers; null if only objects were read
   * @param nulls  null rows; null if the column has no index of them
   * @param note   description of an error that Druid itself makes when it writes; null if there is none
   */
  record Content(
      int rows,
      @Nullable RowValues values,
      @Nullable IntList nulls,
      @Nullable String note
  ) {}

  /** Signals a column type of an extension that is not loaded. */
  static final class UnknownTypeException extends Exception {
    private static final long serialVersionUID = 1;

    UnknownTypeException(String type) {
      super("type " + type + " is unknown here");
    }
  }

  /**
   * Reads and checks the whole column.
   *
   * @throws Damage if anything is wrong
   */
  Content run() throws UnknownTypeException {
    final ColumnParts parts;
    try {
      column.holder();
      parts = column.parts();
    } catch (ToolException e) {
      if (e.getCause() instanceof InvalidTypeIdException unknown
          && unknown.getBaseType().hasRawClass(ColumnPartSerde.class)) {
        throw new UnknownTypeException(unknown.getTypeId());
      }
      throw new Damage(e.found(), e);
    }
    if (parts.dictionary() != null && !parts.dictionary().isShared()) {
      DictionaryCheck.textIndex(parts.dictionary().ours());
    }
    if (parts.isString()) {
      return checkIds(parts.rows());
    }
    if (parts.rows() == null) {
      return checkObjects(null);
    }
    if (parts.rows().type() != EncodedType.INT) {
      return checkNumbers(parts.rows());
    }
    if (column.type().equals("STRING") && isStrings()) {
      return checkIds(parts.rows());
    }
    // Auto columns with several types, or with arrays, have ids that number several dictionaries.
    final RowValues ids = RowReader.read(parts.rows(), expectedRows);
    IndexCheck.checkAnyBitmaps(column, parts.rows(), ids);
    @Nullable final String note = VariantCheck.check(column, parts.rows(), (RowValues.Ids) ids);
    return checkObjects(note);
  }

  private boolean isStrings() {
    return Damage.reading("the column", () -> {
      try (BaseColumn opened = column.holder().getColumn()) {
        return opened instanceof StringUtf8DictionaryEncodedColumn;
      }
    });
  }


  private Content checkIds(RowPart part) {
    final RowValues values = RowReader.read(part, expectedRows);
    final String notes = Stream.of(checkDictionary(part), IndexCheck.checkBitmaps(column, part, values))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(". "));
    SpatialCheck.check(column, part, values);
    return new Content(
        values.rows(), values, IndexCheck.nulls(column.holder(), values.rows()), Strings.emptyToNull(notes));
  }

  /** Describes an error that Druid itself makes when it writes the dictionary; null if there is none. */
  @Nullable
  private String checkDictionary(RowPart part) {
    return Damage.reading("the dictionary", () -> {
      try (BaseColumn opened = column.holder().getColumn()) {
        final DictionaryEncodedColumn<?> dictionary = (DictionaryEncodedColumn<?>) opened;
        @Nullable final String note =
            DictionaryCheck.column(dictionary, column.parts().dictionary().values().get());
        checkCardinality(part, dictionary.getCardinality());
        return note;
      }
    });
  }

  /** Checks that the dictionary has as many values as the ids assume. */
  static void checkCardinality(RowPart ids, int dictionarySize) {
    if (ids.cardinality() != dictionarySize) {
      throw new Damage("its index has " + ids.cardinality() + " values, but there are " + dictionarySize
          + " in its dictionaries");
    }
  }

  static String quoted(@Nullable Object value) {
    return value instanceof String ? '"' + value.toString() + '"' : String.valueOf(value);
  }


  private Content checkNumbers(RowPart part) {
    final RowValues values = RowReader.read(part, expectedRows);
    if (column.projection() == null
        && column.name().equals(ColumnHolder.TIME_COLUMN_NAME)
        && isSortedByTime(column.segment())) {
      checkAscending(part, ((RowValues.Longs) values).values());
    }
    @Nullable final String note = checkNumberIds(part, (RowValues.Numbers) values);
    @Nullable final IntList nulls = IndexCheck.nulls(column.holder(), values.rows());
    if (column.parts().hashIndex() != null) {
      HashIndexCheck.check(column.parts().hashIndex().index(), part, (RowValues.Numbers) values, nulls);
    }
    return new Content(values.rows(), values, nulls, note);
  }

  static boolean isSortedByTime(Segment segment) {
    final JsonNode ordering = segment.version() == IndexIO.V10_VERSION
                              ? segment.metadata().path("projections").path(0).path("schema").path("ordering")
                              : segment.metadata().path("ordering");
    // Druid declares the order, because it can also sort by other columns.
    return !ordering.isArray()
        || (ordering.path(0).path("columnName").asText().equals(ColumnHolder.TIME_COLUMN_NAME)
            && ordering.path(0).path("order").asText().equals("ascending"));
  }

  private static void checkAscending(RowPart part, long[] times) {
    for (int row = 1; row < times.length; row++) {
      if (times[row] < times[row - 1]) {
        throw new Damage("row " + row + Place.of(part, row, row) + " is of " + times[row] + ", before row " + (row - 1)
            + " of " + times[row - 1] + ", but the segment says that it is sorted by time");
      }
    }
  }

  /** Checks the ids and bitmaps that numeric {@code auto} columns also have. */
  @Nullable
  private String checkNumberIds(RowPart part, RowValues.Numbers numbers) {
    @Nullable final RowPart idPart =
        column.parts().files().get(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME);
    if (idPart == null) {
      return null;
    }
    final RowValues.Ids ids = (RowValues.Ids) RowReader.read(idPart, OptionalInt.of(numbers.rows()));
    Damage.reading("the dictionary", () -> {
      try (BaseColumn opened = column.holder().getColumn()) {
        final NestedCommonFormatColumn auto = (NestedCommonFormatColumn) opened;
        final boolean isLong = numbers.type() == NumberType.LONG;
        final String file = isLong
                            ? ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME
                            : ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME;
        final Indexed<? extends Number> dictionary = isLong ? auto.getLongDictionary() : auto.getDoubleDictionary();
        DictionaryCheck.checkLookUp(file, dictionary);
        checkCardinality(idPart, dictionary.size());
        checkNumbersOfIds(part, numbers, ids.ids(), file, dictionary);
        return dictionary;
      }
    });
    return IndexCheck.checkBitmaps(column, idPart, ids);
  }

  private static void checkNumbersOfIds(
      RowPart part,
      RowValues.Numbers numbers,
      int[] ids,
      String file,
      Indexed<? extends Number> dictionary
  ) {
    for (int row = 0; row < ids.length; row++) {
      // The number of a null row has no meaning.
      @Nullable final Number ofId = dictionary.get(ids[row]);
      if (ofId != null && !ofId.equals(numbers.number(row))) {
        throw new Damage("row " + row + Place.of(part, row, row) + " is " + numbers.number(row) + ", but its id "
            + ids[row] + " is " + ofId + " in the dictionary " + file);
      }
    }
  }


  private Content checkObjects(@Nullable String note) throws UnknownTypeException {
    try (ObjectReader reader = ObjectReader.open(column)) {
      if (reader.isUnknown()) {
        throw new UnknownTypeException(column.type());
      }
      final int length = Damage.reading("the number of rows", reader::length);
      if (length >= 0 && expectedRows.isPresent() && length != expectedRows.getAsInt()) {
        throw new Damage("it has " + length + " rows, but its table has " + expectedRows.getAsInt());
      }
      final int rows = expectedRows.orElse(Math.max(0, length));
      @Nullable final IntList nulls = IndexCheck.nulls(column.holder(), rows);
      @Nullable final NestedDataComplexColumn nested = reader.nested();
      // If all values have one type, Druid reads the only field instead, which has nulls of its own.
      final boolean hasNulls = nested instanceof NestedCommonFormatColumn common
          && common.getLogicalType().equals(ColumnType.NESTED_DATA)
          // Old formats may have no such index.
          && (nulls != null || column.isAuto() || column.isNested());
      int numNulls = 0;
      for (int row = 0; row < rows; row++) {
        final boolean isNull = reader.get(row) == null;
        final boolean isListed = nulls != null && numNulls < nulls.size() && nulls.getInt(numNulls) == row;
        if (hasNulls && isNull != isListed) {
          throw new Damage("row " + row + (isNull ? " is null, but not" : " has an object, but is null")
              + " by the column's bitmap of nulls");
        }
        numNulls += isListed ? 1 : 0;
      }
      if (nested != null) {
        NestedCheck.check(column, nested, rows);
      }
      return new Content(rows, null, nulls, note);
    } catch (IOException e) {
      throw new Damage("it cannot be closed: " + e.getMessage(), e);
    }
  }
}
