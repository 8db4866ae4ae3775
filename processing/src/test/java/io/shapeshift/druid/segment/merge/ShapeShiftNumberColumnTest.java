// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.index.KeyIndex;
import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.select.FormSelectors;
import it.unimi.dsi.fastutil.HashCommon;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.IntIterator;

/** One column of numbers with its descriptor, outside of a segment. */
class ShapeShiftNumberColumnTest {
  private static final IndexSpec SPEC =
      TestSegments.shapeShiftAll(OptimizationTarget.FASTER, BlockSize.SMALL).getEffectiveSpec();

  /** A column's descriptor and its bytes. */
  private record Written(ColumnDescriptor descriptor, ByteBuffer bytes) {}

  /** A row with a number or null; who asks what stands under the null fails. */
  private record Row(@Nullable Number value) implements ColumnValueSelector<Number> {
    @Override
    public boolean isNull() {
      return value == null;
    }

    @Override
    public long getLong() {
      return value.longValue();
    }

    @Override
    public double getDouble() {
      return value.doubleValue();
    }

    @Override
    public float getFloat() {
      return value.floatValue();
    }

    @Nullable
    @Override
    public Number getObject() {
      return value;
    }

    @Override
    public Class<Number> classOfObject() {
      return Number.class;
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {
      throw new UnsupportedOperationException();
    }
  }

  private static Written write(NumberKind kind, IndexSpec spec, List<? extends Number> rows) throws IOException {
    final var serializer =
        ShapeShiftNumberColumnSerializer.open(
            kind, "amount", "__base/amount", new OnHeapMemorySegmentWriteOutMedium(), spec);
    for (Number row : rows) {
      serializer.serialize(new Row(row));
    }
    final ColumnDescriptor descriptor = serializer.makeColumnDescriptor("__base/amount");
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final long size = descriptor.getSerializedSize();
    assertEquals(size, descriptor.getSerializedSize());
    descriptor.writeTo(Channels.newChannel(out), null);
    assertEquals(size, out.size());
    return new Written(descriptor, ByteBuffer.wrap(out.toByteArray()));
  }

  private static BaseColumnHolder read(ColumnDescriptor descriptor, ByteBuffer bytes) throws IOException {
    final String json = TestSegments.JSON.writeValueAsString(descriptor);
    return TestSegments.JSON.readValue(json, ColumnDescriptor.class).read(bytes, ColumnConfig.DEFAULT, null, null);
  }

  @Test
  void underAllNullsStandsTheNumberBeforeTheFirst() throws IOException {
    assertEquals(List.of(4L, 5L, 5L, 6L, 5L, 7L, 5L), stored(Arrays.asList(4, 5, null, 6, null, 7, null)));

    final List<Number> rows = new ArrayList<>(IntStream.rangeClosed(1, 50_000).boxed().toList());
    final int[] nulls = {8190, 8191, 8192, 16_384, 20_000, 49_999};
    IntStream.of(nulls).forEach(row -> rows.set(row, null));
    final List<Long> expected = new ArrayList<>(LongStream.rangeClosed(1, rows.size()).boxed().toList());
    IntStream.of(nulls).forEach(row -> expected.set(row, 8190L));
    assertEquals(expected, stored(rows));
  }

  @Test
  void underAllNullsIsZeroWhereThereIsOne() throws IOException {
    assertEquals(List.of(4L, 0L, 0L, 7L, 0L), stored(Arrays.asList(4, null, 0, 7, null)));
  }

  @Test
  void underAllNullsStandsTheFirstNumberWhereNullsAreAheadOfIt() throws IOException {
    assertEquals(List.of(5L, 5L, 5L, 5L, 7L, 5L), stored(Arrays.asList(null, 5, null, null, 7, null)));

    final List<Number> rows = new ArrayList<>(Collections.nCopies(30_000, null));
    assertEquals(Collections.nCopies(30_000, 0L), stored(rows));
    rows.set(20_000, 9);
    rows.set(20_001, 8);
    final List<Long> expected = new ArrayList<>(Collections.nCopies(30_000, 9L));
    expected.set(20_001, 8L);
    assertEquals(expected, stored(rows));
  }

  @Test
  void nothingIsAddedToAColumnThatWasWritten() throws IOException {
    final EncodingStrategy strategy = ShapeShiftIndexSpec.encodingOf(SPEC, "amount", EncodedType.LONG);
    final ShapeShiftingNumbersSerializer numbers =
        NumberKind.LONG.open("amount", new OnHeapMemorySegmentWriteOutMedium(), strategy, false);
    numbers.getSerializedSize();
    assertThrows(IllegalStateException.class, numbers::addNull);
    assertThrows(IllegalStateException.class, () -> numbers.add(new Row(1)));
    assertEquals(0, numbers.size());
  }

  private static List<Long> stored(List<? extends Number> rows) throws IOException {
    final ByteBuffer bytes = write(NumberKind.LONG, SPEC, rows).bytes();
    final ByteBuffer values = bytes.slice(Integer.BYTES, bytes.getInt()).order(IndexIO.BYTE_ORDER);
    try (ColumnarLongs longs = ShapeShiftingColumnarLongsSupplier.read("amount", values).get()) {
      assertFalse(values.hasRemaining());
      return IntStream.range(0, longs.size()).mapToObj(longs::get).toList();
    }
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void nullsOfAnyKindOfBitmap(NumberKind kind) throws IOException {
    final List<BitmapSerdeFactory> factories =
        List.of(RoaringBitmapSerdeFactory.getInstance(), new ConciseBitmapSerdeFactory());
    for (BitmapSerdeFactory bitmaps : factories) {
      final IndexSpec spec = ShapeShiftIndexSpec.of(
          IndexSpec.builder().withBitmapSerdeFactory(bitmaps).build(),
          new EncodingStrategies(ShapeShiftIndexSpec.encodingOf(SPEC, "amount", kind.encodedType), Map.of())
      ).getEffectiveSpec();
      final Written written = write(kind, spec, Arrays.asList(3, null, 4, null));
      final BaseColumnHolder holder = read(written.descriptor(), written.bytes());
      assertEquals(kind.valueType, holder.getCapabilities().getType());
      assertTrue(holder.getCapabilities().hasNulls().isTrue());
      assertTrue(holder.getCapabilities().hasMultipleValues().isFalse());
      assertEquals(
          List.of(1, 3),
          rows(holder.getIndexSupplier().as(NullValueIndex.class), bitmaps.getBitmapFactory())
      );
      try (NumericColumn column = (NumericColumn) holder.getColumn()) {
        assertEquals(4, column.length());
        assertEquals(4, column.getLongSingleValueRow(2));
      }
    }
  }

  private static List<Integer> rows(NullValueIndex index, BitmapFactory bitmaps) {
    final List<Integer> rows = new ArrayList<>();
    final IntIterator iterator =
        index.get().computeBitmapResult(new DefaultBitmapResultFactory(bitmaps), false).iterator();
    while (iterator.hasNext()) {
      rows.add(iterator.next());
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void aColumnWithoutNullsHasNoBitmap(NumberKind kind) throws IOException {
    for (List<Number> rows : List.of(List.<Number>of(), List.<Number>of(1, 2, 3))) {
      final Written written = write(kind, SPEC, rows);
      assertEquals(Integer.BYTES + written.bytes().getInt(0), written.bytes().limit());
      final BaseColumnHolder holder = read(written.descriptor(), written.bytes());
      assertTrue(holder.getCapabilities().hasNulls().isFalse());
      try (NumericColumn column = (NumericColumn) holder.getColumn()) {
        assertEquals(rows.size(), column.length());
      }
    }
  }

  /** The descriptor is part of the format. */
  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void descriptor(NumberKind kind) throws IOException {
    final String type = kind.name().toLowerCase(Locale.ROOT);
    assertEquals(
        TestSegments.JSON.readTree(
            """
            {"valueType": "%s", "hasMultipleValues": false, "parts": [{
              "type": "shapeshift.%s",
              "columnName": "__base/amount",
              "bitmapSerdeFactory": {"type": "roaring"},
              "byteOrder": "%s"
            }]}
            """.formatted(kind, type, IndexIO.BYTE_ORDER)
        ),
        TestSegments.JSON.valueToTree(write(kind, SPEC, List.of(1)).descriptor())
    );
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, 1000, Integer.MAX_VALUE})
  void aWrongSizeOfTheValuesIsDamage(int size) throws IOException {
    final Written written = write(NumberKind.DOUBLE, SPEC, List.of(1.5));
    final int left = written.bytes().limit() - Integer.BYTES;
    written.bytes().putInt(0, size);
    final ColumnFormatException e =
        assertThrows(ColumnFormatException.class, () -> read(written.descriptor(), written.bytes()));
    assertEquals(
        "Column[__base/amount]: its values have " + size + " bytes, but there are only " + left
            + ". The segment is damaged: fetch it again from deep storage, or ingest its interval again",
        e.getMessage()
    );
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void aTruncatedColumnIsDamage(NumberKind kind) throws IOException {
    final Written written = write(kind, SPEC, List.of(1, 5, 2));
    for (int length = 0; length < written.bytes().limit(); length++) {
      final ByteBuffer truncated = written.bytes().slice(0, length);
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> read(written.descriptor(), truncated));
      assertTrue(e.getMessage().startsWith("Column[__base/amount]: its values have "), e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void damageToTheValuesNamesTheFile(NumberKind kind) throws IOException {
    final Written written = write(kind, SPEC, List.of(1, 5, 2));
    written.bytes().put(Integer.BYTES, (byte) 99);
    final ColumnFormatException e =
        assertThrows(ColumnFormatException.class, () -> read(written.descriptor(), written.bytes()));
    assertTrue(e.getMessage().startsWith("Column[__base/amount]: its version at offset 0 is 99"), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void stockWhereCompressionIsAskedFor(NumberKind kind) throws IOException {
    assertNull(
        ShapeShiftNumberColumnSerializer.open(
            kind,
            "amount",
            "__base/amount",
            new OnHeapMemorySegmentWriteOutMedium(),
            TestSegments.SHAPE_SHIFT.getEffectiveSpec()
        )
    );
  }

  private static IndexSpec indexed() {
    return ShapeShiftIndexSpec.of(
        IndexSpec.builder().build(),
        TestSegments.withHashIndexes(
            ShapeShiftIndexSpec.encodingOf(SPEC, "amount", EncodedType.LONG), Set.of("amount"))
    ).getEffectiveSpec();
  }

  private static List<Integer> find(BaseColumnHolder holder, long key) {
    final var indexes = (QueriedRows.Indexes) holder.getIndexSupplier();
    final BitmapColumnIndex index =
        indexes.of(QueriedRows.all(holder.getLength())).as(ValueIndexes.class).forValue(key, ColumnType.LONG);
    final BitmapFactory bitmaps = RoaringBitmapSerdeFactory.getInstance().getBitmapFactory();
    return rows(() -> index, bitmaps);
  }

  /** A bitmap of nulls stands there in any case, so that the index is not taken for one. */
  @Test
  void theHashIndexIsBehindNullsAndInTheDescriptor() throws IOException {
    for (List<Number> rows : List.of(Arrays.<Number>asList(9, null, 8, 9), Arrays.<Number>asList(9, 7, 8, 9))) {
      final Written written = write(NumberKind.LONG, indexed(), rows);
      final JsonNode json = TestSegments.JSON.valueToTree(written.descriptor());
      assertTrue(json.path("parts").path(0).path("hashIndex").asBoolean(), json::toString);
      final ByteBuffer bytes = written.bytes().duplicate();
      bytes.position(Integer.BYTES + bytes.getInt());
      final var nulls =
          RoaringBitmapSerdeFactory.getInstance().getObjectStrategy().fromByteBufferWithSize(bytes);
      assertEquals(rows.contains(null), !nulls.isEmpty());
      HashIndex.read("amount", bytes, rows.size());
      assertFalse(bytes.hasRemaining());
      final BaseColumnHolder holder = read(written.descriptor(), written.bytes());
      assertEquals(List.of(0, 3), find(holder, 9));
      assertEquals(List.of(2), find(holder, 8));
      assertEquals(rows.contains(null), holder.getCapabilities().hasNulls().isTrue());
      // Who is not told of the index does not pass over it.
      ((ObjectNode) json.path("parts").path(0)).remove("hashIndex");
      final ColumnDescriptor without = TestSegments.JSON.treeToValue(json, ColumnDescriptor.class);
      final ByteBuffer all = written.bytes().duplicate().position(0);
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> read(without, all));
      assertTrue(e.getMessage().contains(" bytes after the last part"), e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void numbersOfAllTypesGetAHashIndex(NumberKind kind) throws IOException {
    final Written written = write(kind, indexed(), List.of(1, 3, 2));
    final JsonNode json = TestSegments.JSON.valueToTree(written.descriptor());
    assertTrue(json.path("parts").path(0).path("hashIndex").asBoolean(), json::toString);
    final KeyIndex keys = read(written.descriptor(), written.bytes()).getIndexSupplier().as(KeyIndex.class);
    assertEquals(kind.encodedType.numberType(), keys.type());
    assertEquals(3, keys.hashes().numKeys());
  }

  /** Keys of one bucket, found by trying: their hashes start with the same 16 bits. */
  @Test
  void tooManyKeysOfOneBucketGetNoHashIndex() throws IOException {
    final List<Number> rows = new ArrayList<>();
    for (long key = 0; rows.size() < 300; key++) {
      if (HashCommon.murmurHash3(key) >>> 48 == 0) {
        rows.add(key);
      }
    }
    LongStream.range(0, 3000).map(i -> -i - 1).forEach(rows::add);
    final Written written = write(NumberKind.LONG, indexed(), rows);
    final JsonNode json = TestSegments.JSON.valueToTree(written.descriptor());
    assertFalse(json.path("parts").path(0).has("hashIndex"), json::toString);
    final BaseColumnHolder holder = read(written.descriptor(), written.bytes());
    assertNull(holder.getIndexSupplier().as(KeyIndex.class));
    try (NumericColumn column = (NumericColumn) holder.getColumn()) {
      assertEquals(rows.size(), column.length());
    }
  }

  @ParameterizedTest
  @EnumSource(NumberKind.class)
  void aTruncatedHashIndexIsDamage(NumberKind kind) throws IOException {
    final Written written = write(kind, indexed(), List.of(1, 5, 2));
    final ByteBuffer all = written.bytes();
    final int start = Integer.BYTES + all.getInt(0);
    final int index = start + Integer.BYTES + all.getInt(start);
    for (int length = index; length < all.limit(); length++) {
      final ByteBuffer truncated = all.slice(0, length);
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> read(written.descriptor(), truncated));
      assertTrue(e.getMessage().contains("hash index"), e.getMessage());
    }
    // No nulls and no index, of which the descriptor tells.
    assertThrows(ColumnFormatException.class, () -> read(written.descriptor(), all.slice(0, start)));
  }

  /** The numbers are in the order of the machine that wrote them, the index is the same everywhere. */
  @Test
  void ofEitherByteOrder() throws IOException {
    final List<Long> rows = LongStream.range(0, 1000).map(i -> i * 1_000_003).boxed().toList();
    final Written written = write(NumberKind.LONG, indexed(), rows);
    final ByteBuffer ours = written.bytes().duplicate();
    final ByteBuffer index = ours.slice(Integer.BYTES + ours.getInt(0), ours.limit() - Integer.BYTES - ours.getInt(0));
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      final var numbers = new ShapeShiftingColumnarLongsSerializer(
          "amount",
          new OnHeapMemorySegmentWriteOutMedium(),
          BlockSize.SMALL,
          FormSelectors.forNumbers(NumberType.LONG, OptimizationTarget.FASTER),
          order
      );
      numbers.open();
      for (long row : rows) {
        numbers.add(row);
      }
      final ByteArrayOutputStream out = new ByteArrayOutputStream();
      final int size = (int) numbers.getSerializedSize();
      numbers.writeTo(Channels.newChannel(out), null);
      final ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + size + index.remaining());
      bytes.putInt(size).put(out.toByteArray()).put(index.duplicate()).flip();
      final ObjectNode json = TestSegments.JSON.valueToTree(written.descriptor());
      ((ObjectNode) json.path("parts").path(0)).put("byteOrder", order.toString());
      final BaseColumnHolder holder = read(TestSegments.JSON.treeToValue(json, ColumnDescriptor.class), bytes);
      for (int row = 0; row < rows.size(); row += 37) {
        assertEquals(List.of(row), find(holder, rows.get(row)));
      }
    }
  }
}
