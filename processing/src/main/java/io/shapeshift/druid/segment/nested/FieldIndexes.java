// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.google.common.primitives.Doubles;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.common.guava.GuavaUtils;
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
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;

/**
 * Indexes of one field: Druid's, which get only values that the field has. If Druid's indexes of sets of numbers and of
 * arrays look up another value, they add the number of values of other types to the negative result, and take the sum
 * for an id. In a column of many values it is seldom an id of the field; among the values of one field it may be 0, the
 * id of null.
 *
 * @param indexes Druid's indexes
 */
@SuppressWarnings("deprecation") // Druid still requests StringValueSetIndexes.
record FieldIndexes(NestedField field, ColumnIndexSupplier indexes, BitmapFactory factory)
    implements ColumnIndexSupplier {
  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    @Nullable final T index = indexes.as(clazz);
    @Nullable final ColumnType type = field.types().getSingleType();
    if (index == null || type == null) {
      return index;
    }
    if (index instanceof StringValueSetIndexes texts && type.isNumeric()) {
      return clazz.cast(new OfNumbers(texts, type));
    }
    if (index instanceof ValueIndexes arrays && type.isArray()) {
      return clazz.cast((ValueIndexes) (value, valueType) -> ofArray(arrays, value, valueType));
    }
    if (index instanceof ArrayElementIndexes elements && type.isArray()) {
      return clazz.cast((ArrayElementIndexes) (value, valueType) -> ofElement(elements, value, valueType));
    }
    return index;
  }

  private BitmapColumnIndex none() {
    final BitmapColumnIndex nulls = indexes.as(NullValueIndex.class).get();
    return new AllFalseBitmapColumnIndex(
        factory, nulls.computeBitmapResult(new DefaultBitmapResultFactory(factory), false));
  }

  private final class OfNumbers implements StringValueSetIndexes {
    private final StringValueSetIndexes texts;
    private final boolean areLongs;

    private OfNumbers(StringValueSetIndexes texts, ColumnType type) {
      this.texts = texts;
      this.areLongs = type.is(ValueType.LONG);
    }

    @Override
    public BitmapColumnIndex forValue(@Nullable String value) {
      return texts.forValue(value);
    }

    @Override
    public BitmapColumnIndex forSortedValues(SortedSet<String> values) {
      final SortedSet<String> known = new TreeSet<>(values.comparator());
      for (@Nullable final String value : values) {
        if (value == null || isKnown(value)) {
          known.add(value);
        }
      }
      return texts.forSortedValues(known);
    }

    private boolean isKnown(String value) {
      if (areLongs) {
        @Nullable final Long number = GuavaUtils.tryParseLong(value);
        return number != null && field.longs().indexOf(number) >= 0;
      }
      @Nullable final Double number = Doubles.tryParse(value);
      return number != null && field.doubles().indexOf(number) >= 0;
    }
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
