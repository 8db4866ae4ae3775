// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Supplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.DictionaryWriter;
import org.apache.druid.segment.data.FrontCodedIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.serde.StringUtf8DictionaryEncodedColumnSupplier;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Our dictionaries answer as Druid's do: plain and front-coded ones of real and random texts, method by method. */
@ExtendWith(RandomData.Seeded.class)
class DruidDictionariesTest {
  private static final List<StringEncodingStrategy> STOCK = List.of(
      new StringEncodingStrategy.Utf8(),
      new StringEncodingStrategy.FrontCoded(4, FrontCodedIndexed.V1),
      new StringEncodingStrategy.FrontCoded(16, FrontCodedIndexed.V1)
  );
  /** Texts by column. */
  private static final Map<String, TreeSet<String>> WIKITICKER = wikiticker();
  private static final String CHARACTERS = "\0 aabbcZ~\u007F\u0080\u07FF\u0800\uD7FF\uE000\uFFFD\uFFFF";

  private static ByteBuffer write(DictionaryWriter<String> writer, List<String> values) throws IOException {
    writer.open();
    for (String value : values) {
      writer.write(value);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(writer.getSerializedSize() >= 0);
    writer.writeTo(Channels.newChannel(out), null);
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static Supplier<? extends Indexed<ByteBuffer>> stock(StringEncodingStrategy strategy, List<String> values)
      throws IOException {
    final DictionaryWriter<String> writer = StringEncodingStrategies.getStringDictionaryWriter(
        strategy, new OnHeapMemorySegmentWriteOutMedium(), "dim");
    return StringEncodingStrategies.getStringDictionarySupplier(null, write(writer, values), IndexIO.BYTE_ORDER);
  }

  private static List<String> sorted(Stream<String> values, @Nullable String... more) {
    final TreeSet<String> sorted = new TreeSet<>(Comparator.nullsFirst(Comparator.naturalOrder()));
    // As Druid keeps them: what is no UTF-16 becomes a question mark.
    Stream.concat(values, Stream.of(more))
          .forEach(value -> sorted.add(value == null ? null : StringUtils.fromUtf8(StringUtils.toUtf8(value))));
    return new ArrayList<>(sorted);
  }

  @Nullable
  private static String text(@Nullable ByteBuffer utf8) {
    if (utf8 == null) {
      return null;
    }
    assertEquals(ByteOrder.BIG_ENDIAN, utf8.order());
    return StringUtils.fromUtf8(utf8.duplicate());
  }

  private static void check(String name, List<String> values, OptimizationTarget target, Random random)
      throws IOException {
    final StringDictionary ours = StringDictionary.read("dim", write(
        new StringDictionarySerializer("dim", new OnHeapMemorySegmentWriteOutMedium(), target), values));
    for (StringEncodingStrategy strategy : Tier.pick(List.of(STOCK.get(random.nextInt(STOCK.size()))), STOCK)) {
      final Supplier<? extends Indexed<ByteBuffer>> stock = stock(strategy, values);
      checkIndexed(name, stock.get(), ours.get(), ours, values, random);
      checkColumns(name, stock, ours, values, random);
    }
  }

  private static void checkIndexed(
      String name,
      Indexed<ByteBuffer> expected,
      StringDictionaryReader actual,
      StringDictionary fresh,
      List<String> values,
      Random random
  ) {
    assertEquals(expected.size(), actual.size(), name);
    assertEquals(expected.isSorted(), actual.isSorted(), name);
    final Iterator<ByteBuffer> each = actual.iterator();
    for (ByteBuffer value : expected) {
      assertEquals(text(value), text(each.next()), name);
    }
    assertFalse(each.hasNext());
    ByteBuffer before = null;
    String textBefore = null;
    for (int i = 0; i < Math.min(Tier.pick(400, 2000), values.size()); i++) {
      final int id = random.nextInt(values.size());
      final ByteBuffer value = actual.get(id);
      assertEquals(text(expected.get(id)), text(value), name);
      // What was handed out stays as it was.
      assertEquals(textBefore, text(before), name);
      before = value;
      textBefore = text(value);
      for (ByteBuffer wanted : Stream.of(value, near(value, random)).filter(Objects::nonNull).toList()) {
        final int position = wanted.position();
        // Druid's take no buffer that begins elsewhere than at 0.
        final ByteBuffer copy = StringUtils.toUtf8ByteBuffer(text(wanted));
        assertEquals(expected.indexOf(copy), fresh.get().indexOf(wanted), () -> name + ": " + text(wanted));
        assertEquals(expected.indexOf(copy), actual.indexOf(wanted), () -> name + ": " + text(wanted));
        assertEquals(position, wanted.position());
      }
    }
    for (String any : new String[] {"", "a", "\uFFFF", "zzzzzzzzzz", "\uD83D\uDE00"}) {
      final ByteBuffer wanted = StringUtils.toUtf8ByteBuffer(any);
      assertEquals(expected.indexOf(wanted.duplicate()), actual.indexOf(wanted), () -> name + ": " + any);
    }
    assertEquals(expected.indexOf(null), actual.indexOf(null), name);
  }

  /** A text that is about where another is, in a buffer that begins elsewhere. */
  @Nullable
  private static ByteBuffer near(@Nullable ByteBuffer value, Random random) {
    final String text = text(value);
    if (text == null) {
      return null;
    }
    final int at = random.nextInt(text.length() + 1);
    final String changed = text.substring(0, at) + CHARACTERS.charAt(random.nextInt(CHARACTERS.length()))
        + (random.nextBoolean() ? text.substring(at) : "");
    final byte[] bytes = StringUtils.toUtf8("xyz" + changed);
    return ByteBuffer.wrap(bytes, 3, bytes.length - 3);
  }

  private static void checkColumns(
      String name,
      Supplier<? extends Indexed<ByteBuffer>> stock,
      StringDictionary ours,
      List<String> values,
      Random random
  ) throws IOException {
    final RoaringBitmapFactory bitmaps = new RoaringBitmapFactory();
    final Supplier<ColumnarInts> ids =
        () -> VSizeColumnarInts.fromArray(IntStream.range(0, Math.max(1, values.size())).toArray());
    try (DictionaryEncodedColumn<?> expected =
             new StringUtf8DictionaryEncodedColumnSupplier<>(stock, ids, null, bitmaps).get();
         DictionaryEncodedColumn<?> actual = StringDictionaryColumn.supplier(ours, ids, null, bitmaps).get()) {
      assertEquals(expected.getCardinality(), actual.getCardinality());
      final Indexed<String> expectedStrings = ((StringUtf8DictionaryEncodedColumn) expected).getStringDictionary();
      final Indexed<String> actualStrings = ((StringUtf8DictionaryEncodedColumn) actual).getStringDictionary();
      assertEquals(List.copyOf(nullSafe(expectedStrings)), List.copyOf(nullSafe(actualStrings)), name);
      for (int i = 0; i < Math.min(Tier.pick(200, 500), values.size()); i++) {
        final int id = random.nextInt(values.size());
        assertEquals(expected.lookupName(id), actual.lookupName(id), name);
        assertEquals(expectedStrings.get(id), actualStrings.get(id), name);
        assertEquals(expectedStrings.indexOf(values.get(id)), actualStrings.indexOf(values.get(id)), name);
      }
    }
  }

  private static List<String> nullSafe(Indexed<String> strings) {
    final List<String> all = new ArrayList<>();
    strings.forEach(each -> all.add(String.valueOf(each)));
    return all;
  }

  private static Map<String, TreeSet<String>> wikiticker() {
    final Map<String, TreeSet<String>> columns = new TreeMap<>();
    for (Map<String, Object> row : TestSegments.wikiticker()) {
      row.forEach((column, value) -> columns
          .computeIfAbsent(column, each -> new TreeSet<>(Comparator.nullsFirst(Comparator.naturalOrder())))
          .add(value == null ? null : value.toString()));
    }
    return columns;
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void realTexts(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextLong());
    assertTrue(WIKITICKER.size() > 10);
    for (var column : WIKITICKER.entrySet()) {
      check(column.getKey(), sorted(column.getValue().stream().limit(Tier.pick(3000, 10_000))), target, random);
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void randomTexts(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextLong());
    for (int i = 0; i < Tier.pick(60, 600); i++) {
      final int letters = 1 + random.nextInt(CHARACTERS.length());
      final int longest = 1 + random.nextInt(30);
      final String prefix = random.nextInt(3) == 0 ? "http://www.example.com/" : "";
      final Stream<String> texts = Stream.generate(() -> prefix + IntStream.range(0, random.nextInt(longest))
          .mapToObj(each -> String.valueOf(CHARACTERS.charAt(random.nextInt(letters))))
          .collect(Collectors.joining())).limit(1 + random.nextInt(600));
      check("round " + i, random.nextBoolean() ? sorted(texts, (String) null) : sorted(texts), target, random);
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void textsOfAKind(OptimizationTarget target, RandomData data) throws IOException {
    final Random random = new Random(data.nextLong());
    final int count = Tier.pick(3000, 30_000);
    final Map<String, Stream<String>> kinds = Map.of(
        "numbers", IntStream.range(0, count).mapToObj(String::valueOf),
        "padded numbers", IntStream.range(0, count).mapToObj(i -> StringUtils.format("Customer#%09d", i * 7)),
        "UUIDs", Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()).toString()).limit(count),
        "hexadecimal", Stream.generate(() -> Long.toHexString(random.nextLong())).limit(count),
        "lone surrogates", Stream.generate(() -> "a" + (char) (0xD800 + random.nextInt(0x800))).limit(count)
    );
    for (var kind : kinds.entrySet()) {
      check(kind.getKey(), sorted(kind.getValue()), target, random);
    }
  }
}
