// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.data.ListIndexed;
import org.apache.druid.segment.nested.SortedValueDictionary;
import org.junit.jupiter.api.Test;

class NestedColumnValuesTest extends WithTemporaryFiles {
  private static final List<Object[]> NO_ARRAYS = List.of();

  private static SortedValueDictionary values(
      List<String> strings, List<Long> longs, List<Double> doubles, List<Object[]> arrays) {
    return new SortedValueDictionary(
        new ListIndexed<>(strings),
        new ListIndexed<>(longs),
        new ListIndexed<>(doubles),
        new ListIndexed<>(arrays),
        null
    );
  }

  private NestedColumnValues merge(SortedValueDictionary... inputs) throws IOException {
    return new NestedColumnValues("c", List.of(inputs), medium, folder);
  }

  @Test
  void mergesValuesOfAllTypes() throws IOException {
    final SortedValueDictionary one = values(
        Arrays.asList(null, "", "b"),
        List.of(Long.MIN_VALUE, 7L),
        List.of(-1.5, -0.0, Double.NaN),
        List.of(new Object[0], new Object[] {null, "b"}, new Object[] {7L})
    );
    final SortedValueDictionary other = values(
        Arrays.asList(null, "a", "b", "c"),
        List.of(7L, Long.MAX_VALUE),
        List.of(0.0, Double.NaN),
        List.<Object[]>of(new Object[] {"a", "c"}, new Object[] {7L})
    );
    try (NestedColumnValues merged = merge(one, other)) {
      assertEquals(5, merged.firstLong());
      assertEquals(8, merged.firstDouble());
      assertEquals(12, merged.firstArray());
      assertEquals(16, merged.size());
      final List<Object> scalars = Arrays.asList(
          null, "", "a", "b", "c", Long.MIN_VALUE, 7L, Long.MAX_VALUE, -1.5, -0.0, 0.0, Double.NaN);
      for (int id = 0; id < scalars.size(); id++) {
        assertEquals(scalars.get(id), merged.scalar(id));
        assertEquals(id, merged.id(scalars.get(id)));
      }
      final List<Object[]> arrays =
          List.of(new Object[0], new Object[] {null, "b"}, new Object[] {"a", "c"}, new Object[] {7L});
      for (int i = 0; i < arrays.size(); i++) {
        assertEquals(12 + i, merged.id(arrays.get(i)));
        assertArrayEquals(
            Arrays.stream(arrays.get(i)).mapToInt(merged::id).toArray(), merged.elements(12 + i));
      }
    }
  }

  @Test
  void textsWithHalfOfASurrogatePairSortAsTheyAreStored() throws IOException {
    final SortedValueDictionary one = values(
        Arrays.asList(null, "xA", "x\ud800", "y\udc00z"), List.of(), List.of(),
        List.of(new Object[] {"xA"}, new Object[] {"x\ud800"}, new Object[] {"y\udc00z"})
    );
    // As a segment of Druid's has such texts.
    final SortedValueDictionary other =
        values(Arrays.asList(null, "xA", "xB", "x?", "y"), List.of(), List.of(), NO_ARRAYS);
    try (NestedColumnValues merged = merge(one, other)) {
      final List<String> stored = List.of("x?", "xA", "xB", "y", "y?z");
      for (int i = 0; i < stored.size(); i++) {
        assertEquals(stored.get(i), merged.scalar(1 + i));
        assertEquals(1 + i, merged.id(stored.get(i)));
      }
      assertEquals(6, merged.firstLong());
      assertEquals(1, merged.id("x\ud800"));
      assertEquals(5, merged.id("y\udc00z"));
      assertArrayEquals(new int[] {1}, merged.elements(merged.id(new Object[] {"x\ud800"})));
      assertEquals(9, merged.size());
    }
  }

  @Test
  void aValueThatNoInputHasIsAnError() throws IOException {
    try (NestedColumnValues merged = merge(values(List.of("a"), List.of(1L), List.of(), NO_ARRAYS))) {
      for (Object value : new Object[] {"b", 2L, 1.0, new Object[] {"a"}}) {
        final DruidException e = assertThrows(DruidException.class, () -> merged.id(value));
        assertTrue(e.getMessage().startsWith("Column[c]: the dictionaries that are merged lack"), e.getMessage());
      }
    }
  }

  @Test
  void nothingIsMergedOfNoInputs() throws IOException {
    try (NestedColumnValues merged = merge()) {
      assertEquals(1, merged.size());
      assertEquals(0, merged.id(null));
      assertNull(merged.scalar(0));
    }
  }

  /** Druid's media delete the files of all their children with the first that is closed. */
  @Test
  void otherColumnsKeepTheirFiles() throws IOException {
    final HashIndexSerializer index = new HashIndexSerializer("key", medium, OptimizationTarget.FASTER);
    index.open();
    try (NestedColumnValues merged =
             merge(values(List.of("b", "a"), List.of(1L), List.of(), List.<Object[]>of(new Object[] {"a"})))) {
      assertEquals("a", merged.scalar(1));
      for (int key = 0; key < 200_000; key++) {
        index.add(key);
      }
      assertTrue(index.complete());
      assertEquals("b", merged.scalar(2));
    }
  }
}
