// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.strings.StringDictionaryReader;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedFieldDictionaryEncodedColumn;
import org.apache.druid.segment.vector.ReadableVectorOffset;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;

/**
 * Druid's column of a field that has only strings, which keeps recently read texts: Druid groups and scans such fields
 * by texts, not by ids, and rows repeat them. Not thread-safe.
 */
final class NestedTextColumn extends NestedFieldDictionaryEncodedColumn<Indexed<ByteBuffer>> {
  private static final int MOST_KEPT = 1 << 10;

  private final ColumnarInts ids;
  private final StringDictionaryReader dictionary;
  private final int firstNumber;
  private final int[] keptIds;
  private final String[] kept;

  /**
   * Creates a column.
   *
   * @param firstNumber  place of id 0 in the dictionary
   * @param numbersOfIds place of each id in the dictionary
   */
  NestedTextColumn(
      FieldTypeInfo.TypeSet types,
      ColumnarInts ids,
      StringDictionaryReader dictionary,
      FixedIndexed<Long> longs,
      FixedIndexed<Double> doubles,
      int firstNumber,
      FixedIndexed<Integer> numbersOfIds,
      ImmutableBitmap nulls
  ) {
    super(types, null, null, ids, dictionary, longs, doubles, null, numbersOfIds, nulls);
    this.ids = ids;
    this.dictionary = dictionary;
    this.firstNumber = firstNumber;
    int size = 1;
    while (size < MOST_KEPT && size < numbersOfIds.size()) {
      size <<= 1;
    }
    this.keptIds = new int[size];
    this.kept = new String[size];
  }

  @Nullable
  @Override
  public String lookupName(int id) {
    final int slot = id & kept.length - 1;
    if (kept[slot] == null || keptIds[slot] != id) {
      kept[slot] = dictionary.getString(id + firstNumber);
      keptIds[slot] = id;
    }
    return kept[slot];
  }

  @Override
  public SingleValueDimensionVectorSelector makeSingleValueDimensionVectorSelector(ReadableVectorOffset offset) {
    return new Texts(offset);
  }

  /** Druid's own selector reads UTF-8 by the wrong id. */
  private final class Texts extends StringUtf8DictionaryEncodedColumn.StringSingleValueDimensionVectorSelector {
    private Texts(ReadableVectorOffset offset) {
      super(ids, offset);
    }

    @Override
    public int getValueCardinality() {
      return getCardinality();
    }

    @Nullable
    @Override
    public String lookupName(int id) {
      return NestedTextColumn.this.lookupName(id);
    }

    @Nullable
    @Override
    public ByteBuffer lookupNameUtf8(int id) {
      return dictionary.get(id + firstNumber);
    }

    @Override
    public int lookupId(@Nullable String name) {
      return NestedTextColumn.this.lookupId(name);
    }
  }
}
