// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import com.google.common.base.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.StringUtf8DictionaryEncodedColumnSupplier;

/**
 * Druid's string column, except that a {@link StringDictionaryReader} creates its values directly from the stored
 * bytes. Not thread-safe.
 */
public final class StringDictionaryColumn extends StringUtf8DictionaryEncodedColumn {
  private final StringDictionaryReader dictionary;

  private StringDictionaryColumn(
      @Nullable ColumnarInts ids,
      @Nullable ColumnarMultiInts multiIds,
      StringDictionaryReader dictionary,
      BitmapFactory bitmapFactory
  ) {
    super(ids, multiIds, dictionary, bitmapFactory);
    this.dictionary = dictionary;
  }

  /** Creates a column with one value per row. */
  public static StringDictionaryColumn of(ColumnarInts ids, StringDictionary dictionary, BitmapFactory bitmapFactory) {
    return new StringDictionaryColumn(ids, null, dictionary.get(), bitmapFactory);
  }

  /**
   * Creates a supplier of columns that share the decoded model of the dictionary.
   *
   * @param ids      ids of rows with one value each; null if rows may have several
   * @param multiIds ids of rows that may have several values; null if rows have one each
   */
  public static StringUtf8DictionaryEncodedColumnSupplier<StringDictionaryReader> supplier(
      StringDictionary dictionary,
      @Nullable Supplier<ColumnarInts> ids,
      @Nullable Supplier<ColumnarMultiInts> multiIds,
      BitmapFactory bitmapFactory
  ) {
    return new StringUtf8DictionaryEncodedColumnSupplier<>(dictionary, ids, multiIds, bitmapFactory) {
      @Override
      public DictionaryEncodedColumn<?> get() {
        return new StringDictionaryColumn(
            ids == null ? null : ids.get(),
            multiIds == null ? null : multiIds.get(),
            dictionary.get(),
            bitmapFactory
        );
      }
    };
  }

  @Nullable
  @Override
  public String lookupName(int id) {
    return dictionary.getString(id);
  }

  @Override
  public Indexed<String> getStringDictionary() {
    return dictionary.strings();
  }
}
