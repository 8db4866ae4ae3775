// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.incremental.IndexContent;
import io.shapeshift.druid.incremental.index.ShapeShiftIncrementalIndex;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.memory.Readers;
import io.shapeshift.druid.incremental.metric.LostMetrics;
import io.shapeshift.druid.testing.RandomData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.StringDimensionHandler;
import org.apache.druid.segment.StringDimensionIndexer;
import org.apache.druid.segment.data.CloseableIndexed;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Comparison with Druid's indexer: ids of inputs, and all that is asked of them. */
@ExtendWith(RandomData.Seeded.class)
class DirectStringIndexerTest {
  private static final int MAX_LENGTH = 7;

  private final DirectMemory memory = new DirectMemory();
  private final Readers readers = new Readers();

  @AfterEach
  void free() {
    memory.freeAll();
  }

  private DirectStringIndexer direct(StringDimensionIndexer stock, MultiValueHandling handling) {
    return DirectStringIndexer.of(stock, handling, new DirectStringDictionary(memory, new Texts(memory)), readers);
  }

  @ParameterizedTest
  @EnumSource(MultiValueHandling.class)
  void inputsAreEncodedAsDruidDoes(MultiValueHandling handling, RandomData random) {
    for (int round = 0; round < 40; round++) {
      final StringDimensionIndexer stock = new StringDimensionIndexer(handling, round % 2 == 0, false, MAX_LENGTH);
      final DirectStringIndexer direct =
          direct(new StringDimensionIndexer(handling, round % 2 == 0, false, MAX_LENGTH), handling);
      final List<int[]> encoded = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        if (random.nextInt(20) == 0) {
          stock.setSparseIndexed();
          direct.setSparseIndexed();
        }
        final Object input = input(random);
        final int[] expected = stock.processRowValsToUnsortedEncodedKeyComponent(input, true).getComponent();
        assertArrayEquals(
            expected,
            direct.processRowValsToUnsortedEncodedKeyComponent(input, true).getComponent(),
            () -> "" + input
        );
        encoded.add(expected);
        assertEquals(stock.getColumnCapabilities().hasNulls(), direct.getColumnCapabilities().hasNulls());
        assertEquals(
            stock.getColumnCapabilities().hasMultipleValues(),
            direct.getColumnCapabilities().hasMultipleValues()
        );
        assertEquals(
            stock.getColumnCapabilities().hasBitmapIndexes(),
            direct.getColumnCapabilities().hasBitmapIndexes()
        );
        assertEquals(stock.getMinValue(), direct.getMinValue());
        assertEquals(stock.getMaxValue(), direct.getMaxValue());
      }
      checkAsked(stock, direct, encoded);
    }
  }

  /** Calls that compare and persist rows. */
  private static void checkAsked(StringDimensionIndexer stock, DirectStringIndexer direct, List<int[]> encoded) {
    for (int[] left : encoded) {
      assertEquals(
          stock.convertUnsortedEncodedKeyComponentToActualList(left),
          direct.convertUnsortedEncodedKeyComponentToActualList(left)
      );
      assertEquals(stock.estimateEncodedKeyComponentSize(left), direct.estimateEncodedKeyComponentSize(left));
      for (int[] right : encoded) {
        assertEquals(
            Integer.signum(stock.compareUnsortedEncodedKeyComponents(left, right)),
            Integer.signum(direct.compareUnsortedEncodedKeyComponents(left, right)),
            () -> Arrays.toString(left) + " and " + Arrays.toString(right)
        );
      }
    }
    assertEquals(stock.getCardinality(), direct.getCardinality());
    final CloseableIndexed<String> expected = stock.getSortedIndexedValues();
    final CloseableIndexed<String> sorted = direct.getSortedIndexedValues();
    for (int rank = 0; rank < stock.getCardinality(); rank++) {
      assertEquals(expected.get(rank), sorted.get(rank));
      assertEquals(rank, sorted.indexOf(sorted.get(rank)));
      assertEquals(stock.getUnsortedEncodedValueFromSorted(rank), direct.getUnsortedEncodedValueFromSorted(rank));
      assertEquals(stock.getSortedEncodedValueFromUnsorted(rank), direct.getSortedEncodedValueFromUnsorted(rank));
    }
    assertEquals(-1, sorted.indexOf("no such text"));
  }

  private static Object input(RandomData random) {
    return switch (random.nextInt(9)) {
      case 0 -> null;
      case 1 -> List.of();
      case 2 -> List.of(single(random));
      case 3 -> Stream.generate(() -> random.nextInt(5) == 0 ? null : single(random)).limit(4).toList();
      case 4 -> new Object[] {single(random), single(random)};
      case 5 -> ("bytes" + random.nextInt(3)).getBytes(StandardCharsets.UTF_8);
      default -> single(random);
    };
  }

  /** Strings, some longer than the limit. */
  private static Object single(RandomData random) {
    return switch (random.nextInt(5)) {
      case 0 -> (long) random.nextInt(4);
      case 1 -> random.nextInt(4) / 2.0;
      case 2 -> "a long text " + random.nextInt(4);
      case 3 -> "\ud83d" + random.nextInt(4);
      default -> "" + random.nextInt(4);
    };
  }

  @Test
  void nothingIsReadOnceItIsClosed() {
    final DirectStringIndexer indexer = direct(new StringDimensionIndexer(null, true, false), null);
    final int[] ids = indexer.processRowValsToUnsortedEncodedKeyComponent(List.of("b", "a"), true).getComponent();
    final CloseableIndexed<String> values = indexer.getSortedIndexedValues();
    assertEquals("a", values.get(0));
    readers.close(memory::freeAll);
    assertEquals(0, memory.bytes());
    assertThrows(ISE.class, () -> values.get(0));
    assertThrows(ISE.class, () -> values.indexOf("a"));
    assertThrows(ISE.class, indexer::getMinValue);
    assertThrows(ISE.class, indexer::getMaxValue);
    assertThrows(ISE.class, () -> indexer.convertUnsortedEncodedKeyComponentToActualList(ids));
    assertThrows(ISE.class, () -> indexer.compareUnsortedEncodedKeyComponents(ids, new int[] {0}));
    assertThrows(ISE.class, () -> indexer.processRowValsToUnsortedEncodedKeyComponent("c", true));
    assertThrows(ISE.class, indexer::setSparseIndexed);
    assertEquals(2, indexer.getCardinality());
  }

  /** An indexer of another extension stays in use, with its values as objects. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void otherIndexersStay(boolean rollUp) {
    final class OtherIndexer extends StringDimensionIndexer {
      OtherIndexer() {
        super(null, true, false);
      }
    }

    final class OtherSchema extends StringDimensionSchema {
      OtherSchema() {
        super("s");
      }

      @Override
      public DimensionHandler<?, ?, ?> getDimensionHandler() {
        return new StringDimensionHandler("s", null, true, false) {
          @Override
          public DimensionIndexer<Integer, int[], String> makeIndexer() {
            return new OtherIndexer();
          }
        };
      }
    }

    final IncrementalIndexSchema schema = schema(new DimensionsSpec(List.of(new OtherSchema())), rollUp);
    try (IncrementalIndex index = index(schema); IncrementalIndex stock = stock(schema)) {
      for (int i = 0; i < 50; i++) {
        // The first two compare as equal, but each row keeps its own.
        final Object value = i % 5 == 0 ? List.of() : i % 5 == 1 ? Collections.singletonList(null) : "v" + i * 7 % 10;
        final InputRow row = new MapBasedInputRow(i / 2, List.of("s"), Map.of("s", value));
        index.add(row);
        stock.add(row);
      }
      assertSame(StringDimensionIndexer.class, index.getDimensions().get(0).getIndexer().getClass().getSuperclass());
      assertEquals(IndexContent.persisted(stock), IndexContent.persisted(index));
      assertEquals(IndexContent.events(stock), IndexContent.events(index));
    }
  }

  /** A value that cannot be read is null, in a dimension that is known and in one that is new. */
  @Test
  void whatCannotBeReadIsNull() {
    final DimensionsSpec dimensions = new DimensionsSpec(List.of(new StringDimensionSchema("a")));
    try (IncrementalIndex index = index(dimensions); IncrementalIndex stock = stock(dimensions)) {
      for (int i = 0; i < 8; i++) {
        final InputRow row = row(i, i < 3 ? List.of("a") : List.of("a", "b"), i % 3 == 0 ? "b" : "a");
        final ParseException expected = stock.add(row).getParseException();
        final ParseException found = index.add(row).getParseException();
        assertEquals(expected == null ? null : expected.getMessage(), found == null ? null : found.getMessage());
      }
      assertEquals(IndexContent.persisted(stock), IndexContent.persisted(index));
    }
  }

  private static InputRow row(int number, List<String> names, String broken) {
    return new MapBasedInputRow(DateTimes.utc(number), names, Map.of("a", "a" + number, "b", "b" + number)) {
      @Override
      public Object getRaw(String dimension) {
        if (dimension.equals(broken)) {
          throw new ParseException("event", "Cannot read [%s]", dimension);
        }
        return super.getRaw(dimension);
      }
    };
  }

  private static IncrementalIndexSchema schema(DimensionsSpec dimensions, boolean rollUp) {
    return new IncrementalIndexSchema.Builder()
        .withDimensionsSpec(dimensions)
        .withMetrics(new AggregatorFactory[] {new CountAggregatorFactory("count")})
        .withRollup(rollUp)
        .build();
  }

  private static IncrementalIndex index(DimensionsSpec dimensions) {
    return index(schema(dimensions, false));
  }

  private static IncrementalIndex index(IncrementalIndexSchema schema) {
    return new ShapeShiftIncrementalIndex(schema, Integer.MAX_VALUE, 0, false, new LostMetrics(), new DirectMemory());
  }

  private static IncrementalIndex stock(DimensionsSpec dimensions) {
    return stock(schema(dimensions, false));
  }

  private static IncrementalIndex stock(IncrementalIndexSchema schema) {
    return new OnheapIncrementalIndex.Builder()
        .setIndexSchema(schema)
        .setMaxRowCount(Integer.MAX_VALUE)
        .build();
  }
}
