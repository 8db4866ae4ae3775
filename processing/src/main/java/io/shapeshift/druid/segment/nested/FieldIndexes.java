// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.base.Supplier;
import io.shapeshift.druid.segment.index.QueriedRows;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.index.AllFalseBitmapColumnIndex;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedValueIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.ValueIndexes;

/**
 * Indexes of one field: our own of strings, longs or doubles, else Druid's, of several types or of arrays. Druid's
 * indexes of arrays get only values that the field has. If they look up another value, they add the number of values of
 * other types to the negative result, and take the sum for an id. In a column of many values it is seldom an id of the
 * field; among the values of one field it may be 0, the id of null.
 */
final class FieldIndexes implements QueriedRows.Indexes {
  private static final Set<Class<?>> OF_IDS =
      Set.of(DictionaryEncodedStringValueIndex.class, DictionaryEncodedValueIndex.class);

  private final NestedField field;
  @Nullable
  private final ColumnIndexSupplier ours;
  private final Supplier<? extends ColumnIndexSupplier> stock;
  private final BitmapFactory factory;

  /**
   * Creates indexes.
   *
   * @param ours  indexes of a field of one primitive type; null for another field
   * @param stock Druid's indexes, created if they are needed
   */
  FieldIndexes(
      NestedField field,
      @Nullable ColumnIndexSupplier ours,
      Supplier<? extends ColumnIndexSupplier> stock,
      BitmapFactory factory
  ) {
    this.field = field;
    this.ours = ours;
    this.stock = stock;
    this.factory = factory;
  }

  @Override
  public boolean dependOnRows() {
    return false;
  }

  /** Scans for ranges if the field has lists and the query reads all rows. */
  @Override
  public FieldIndexes of(QueriedRows rows) {
    return ours instanceof QueriedRows.Indexes known && !known.dependOnRows() && rows.rowsPerFound() == 0
           ? new FieldIndexes(field, known.of(rows), stock, factory)
           : this;
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    if (ours != null && !OF_IDS.contains(clazz)) {
      return ours.as(clazz);
    }
    if (field.numIds() == 0) {
      // Druid's indexes read id 0. Without an index, filters test the rows, of which there are none.
      return null;
    }
    @Nullable final T index = stock.get().as(clazz);
    final boolean areArrays = field.types().getSingleType() != null && field.types().getSingleType().isArray();
    if (areArrays && index instanceof ValueIndexes arrays) {
      return clazz.cast((ValueIndexes) (value, valueType) -> ofArray(arrays, value, valueType));
    }
    if (areArrays && index instanceof ArrayElementIndexes elements) {
      return clazz.cast((ArrayElementIndexes) (value, valueType) -> ofElement(elements, value, valueType));
    }
    return index;
  }

  private BitmapColumnIndex none() {
    final BitmapColumnIndex nulls = stock.get().as(NullValueIndex.class).get();
    return new AllFalseBitmapColumnIndex(
        factory, nulls.computeBitmapResult(new DefaultBitmapResultFactory(factory), false));
  }

  @Nullable
  private BitmapColumnIndex ofArray(ValueIndexes arrays, Object value, TypeSignature<ValueType> valueType) {
    if (!valueType.isArray()) {
      return arrays.forValue(value, valueType);
    }
    final ColumnType type = field.types().getSingleType();
    @Nullable final ExprEval<?> cast = cast(value, valueType, type);
    if (cast == null) {
      return arrays.forValue(value, valueType);
    }
    final Object[] elements = cast.asArray();
    final int[] numbers = new int[elements.length];
    for (int i = 0; i < elements.length; i++) {
      numbers[i] = number(elements[i], type.getElementType());
      if (numbers[i] < 0) {
        return none();
      }
    }
    @Nullable final FrontCodedIntArrayIndexed known = field.arrays();
    return known == null || known.indexOf(numbers) < 0 ? none() : arrays.forValue(value, valueType);
  }

  @Nullable
  private BitmapColumnIndex ofElement(
      ArrayElementIndexes elements, @Nullable Object value, TypeSignature<ValueType> valueType) {
    if (valueType.isArray()) {
      return elements.containsValue(value, valueType);
    }
    final TypeSignature<ValueType> type = field.types().getSingleType().getElementType();
    @Nullable final ExprEval<?> cast = cast(value, valueType, type);
    return cast == null || (field.arrays() != null && number(cast.value(), type) >= 0)
           ? elements.containsValue(value, valueType)
           : none();
  }

  @Nullable
  private static ExprEval<?> cast(
      @Nullable Object value, TypeSignature<ValueType> from, TypeSignature<ValueType> to) {
    return ExprEval.castForEqualityComparison(
        ExprEval.ofType(ExpressionType.fromColumnTypeStrict(from), value), ExpressionType.fromColumnTypeStrict(to));
  }

  /** Returns the number of an element within the field, or a negative number if the field does not have it. */
  private int number(@Nullable Object element, TypeSignature<ValueType> type) {
    if (element == null) {
      return 0;
    }
    final int numStrings = field.strings().size();
    return switch (type.getType()) {
      case STRING -> field.strings().indexOf(StringUtils.toUtf8ByteBuffer((String) element));
      case LONG -> behind(numStrings, field.longs().indexOf((Long) element));
      default -> behind(numStrings + field.longs().size(), field.doubles().indexOf((Double) element));
    };
  }

  private static int behind(int first, int found) {
    return found < 0 ? found : first + found;
  }
}
