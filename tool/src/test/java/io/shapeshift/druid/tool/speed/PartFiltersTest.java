// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.PartFilters.Hits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.junit.jupiter.api.Test;

/** Parts are those of some texts or of none, and filters find these texts. */
class PartFiltersTest {
  private static GenericIndexed<ByteBuffer> dictionary(List<String> texts) {
    return GenericIndexed.fromIterable(
        texts.stream().map(text -> text == null ? null : ByteBuffer.wrap(StringUtils.toUtf8(text))).toList(),
        GenericIndexed.UTF8_STRATEGY
    );
  }

  private static Map<Hits, Filter> filters(List<String> texts) {
    return PartFilters.of(dictionary(texts).singleThreaded());
  }

  /** In a column of one row for each text, a filter finds as many rows as it says. */
  private static void assertCounted(List<String> texts) {
    final BitmapSerdeFactory bitmaps = RoaringBitmapSerdeFactory.getInstance();
    final int[] ids = IntStream.range(0, texts.size()).toArray();
    final int[] ends = IntStream.rangeClosed(1, texts.size()).toArray();
    final IndexValues index = new IndexValues(ids.length, ends, ids, bitmaps, IndexValues.Owner.STRINGS);
    final RowEncoding encoding = RowEncodings.DRUID_LZ4;
    try (EncodedColumn column =
             EncodedColumn.encode("c", encoding, new RowValues.Ids(ids, ids.length), encoding, index)) {
      final ColumnIndexSupplier opened = column.open(dictionary(texts)::singleThreaded);
      filters(texts).forEach((hits, filter) -> {
        final int found = filter.find(opened, bitmaps.getBitmapFactory()).size();
        assertEquals(found, filter.values(), filter.condition());
        assertEquals(hits == Hits.NONE, found == 0, filter.condition());
      });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void fewTextsOrNoneHaveTheParts() {
    final List<String> urls = IntStream.range(0, 5000)
        .mapToObj(i -> "https://example.org/" + Integer.toString(i * 7919 + 2_000_000, 36) + "/" + i * 104_729L)
        .sorted().toList();
    final Map<Hits, Filter> filters = filters(urls);
    assertEquals(2, filters.size());
    assertTrue(filters.get(Hits.FEW).values() <= 10, filters.get(Hits.FEW)::condition);
    assertCounted(urls);
    assertEquals(filters.get(Hits.FEW).condition(), filters(urls).get(Hits.FEW).condition());
  }

  @Test
  void partsHaveWholeCharacters() {
    final List<String> texts =
        IntStream.range(0, 300).mapToObj(i -> "\u65E5" + (char) (0x4E00 + i) + "\u8A9E\u00FC\u00E9\u672C").toList();
    assertEquals(2, filters(texts).size());
    assertCounted(texts);
  }

  @Test
  void somePartsDoNotExist() {
    assertEquals(Map.of(), filters(List.of()));
    assertEquals(Map.of(), filters(Arrays.asList(null, "", "short")));
    // Backwards, it is the same.
    final List<String> palindromes = IntStream.range(0, 50).mapToObj(i -> "abccba" + i).toList();
    assertEquals("like '%abccba%'", filters(List.of("abccba")).get(Hits.FEW).condition());
    assertEquals(1, filters(List.of("abccba")).size());
    assertCounted(palindromes);
  }

  @Test
  void partsOfMoreThanTenTextsAreNotFew() {
    // Each candidate is the part that all texts have.
    final List<String> texts = IntStream.range(0, 11).mapToObj(i -> "abcdef" + (char) ('a' + i)).toList();
    assertEquals(Set.of(Hits.NONE), filters(texts).keySet());
    assertEquals(10, filters(texts.subList(0, 10)).get(Hits.FEW).values());
    assertCounted(texts);
  }

  @Test
  void wildcardsAreEscaped() {
    final List<String> texts = IntStream.range(0, 100).mapToObj(i -> "1%_\\" + (char) ('A' + i / 26) + i).toList();
    assertEquals(2, filters(texts).size());
    assertCounted(texts);
  }
}
