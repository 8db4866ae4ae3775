// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BufferedValues;
import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.BufferedInts;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.BufferedNumbers;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.frame.FramedForm;
import io.shapeshift.druid.form.postings.PostingChunk;
import io.shapeshift.druid.form.postings.PostingForm;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each registered form is chosen for a column like those in Druid, under some target. A form that is not may go. */
class EachFormIsChosenTest {
  private static final int ROWS = 1 << 16;
  private static final int NUMBERS = 1 << 13;
  private static final int LOG_IDS_PER_BLOCK = 12;
  private static final int LOG_NUMBERS_PER_BLOCK = 11;
  /** Stays for Druid's pull request #6016, which names it; no column has so many ids that they take over 24 bits. */
  private static final Set<String> NAMED_BY_DRUID = Set.of("unencoded");

  private final RandomData random = new RandomData(6016);
  private final Set<String> chosen = new TreeSet<>();

  @Test
  void formsOfInts() {
    idColumns().values().forEach(ids -> {
      for (OptimizationTarget target : OptimizationTarget.values()) {
        final BufferedInts buffered = new BufferedInts(Limits.MAX_PAYLOAD_BYTES);
        encode(FormSelectors.forInts(target), LOG_IDS_PER_BLOCK, buffered, ids.length, i -> buffered.add(ids[i]));
      }
    });
    final Stream<IntForm> ofIds = IntForms.ALL.stream()
        .filter(form -> form.uses().isEmpty() || form.uses().contains(IntForm.Use.IDS));
    assertEquals(NAMED_BY_DRUID, unchosen(ofIds.map(IntForm::name)), "chosen for no column of ids");
  }

  /** A frame is chosen for each type that it suits, a form of ints in some frame for some type. */
  @Test
  void formsOfNumbers() {
    final Set<String> children = new TreeSet<>();
    for (NumberType type : NumberType.values()) {
      chosen.clear();
      encodeNumbers(type);
      final Stream<String> forms = NumberForms.of(type).stream()
          .map(form -> form instanceof FramedForm framed ? framed.frame.name() : form.name());
      assertEquals(Set.of(), unchosen(forms), () -> "chosen for no column of numbers of type " + type);
      children.addAll(chosen);
    }
    chosen.addAll(children);
    assertEquals(
        Set.of(),
        unchosen(Arrays.stream(NumberType.values())
            .flatMap(type -> NumberForms.of(type).stream())
            .filter(FramedForm.class::isInstance)
            .map(form -> child((FramedForm) form))),
        "chosen in no frame");
  }

  @Test
  void formsOfPostingLists() {
    idColumns().values().forEach(ids -> {
      for (OptimizationTarget target : OptimizationTarget.values()) {
        choosePostings(FormSelectors.forPostings(target), ids);
      }
    });
    assertEquals(
        Set.of(), unchosen(PostingForms.ALL.stream().map(PostingForm::name)), "chosen for the lists of no column");
  }

  // Encoding, as serializers of columns do

  private Set<String> unchosen(Stream<String> names) {
    return names.filter(name -> !chosen.contains(name)).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Appends a value to a buffer, and tells whether there was room. */
  @FunctionalInterface
  private interface Add {
    boolean add(int i);
  }

  private <C extends Chunk> void encode(
      FormSelector<C> selector,
      int logValuesPerBlock,
      BufferedValues<C> buffered,
      int length,
      Add value
  ) {
    final ChunkSplitter<C> splitter = new ChunkSplitter<>(selector, logValuesPerBlock, ByteOrder.LITTLE_ENDIAN);
    int start = 0;
    for (int i = 0; i < length; i++) {
      while (!value.add(i)) {
        final int full = buffered.sizeToMakeRoom();
        splitter.encode(buffered, full, false, (form, numBlocks, bytes) -> note(form, bytes));
        buffered.release();
        start += full;
        buffered.removeFirst(full, start);
      }
    }
    splitter.encode(buffered, buffered.size(), true, (form, numBlocks, bytes) -> note(form, bytes));
    buffered.release();
  }

  private void note(Form<?, ?> form, ByteBuffer chunk) {
    chosen.add(form.name());
    if (form instanceof FramedForm framed) {
      chosen.add(framed.frame.name());
      chosen.add(child(framed));
    } else if (form instanceof IntForm && form instanceof CodecForm<?, ?>) {
      chosen.add(IntForms.byId(chunk.get(chunk.position() + 1)).name());
    }
  }

  private static String child(FramedForm form) {
    return form.name().substring(form.frame.name().length() + 1);
  }

  private void encodeNumbers(NumberType type) {
    numberColumns(type).values().forEach(bits -> {
      for (OptimizationTarget target : OptimizationTarget.values()) {
        final BufferedNumbers buffered = new BufferedNumbers(type, NUMBERS);
        encode(
            FormSelectors.forNumbers(type, target), LOG_NUMBERS_PER_BLOCK, buffered, bits.length,
            i -> buffered.add(bits[i]));
      }
    });
  }

  /** The rows of each id: several short lists in a chunk. */
  private void choosePostings(FormSelector<PostingChunk> selector, int... ids) {
    final Map<Integer, List<Integer>> lists = new TreeMap<>();
    for (int row = 0; row < ids.length; row++) {
      lists.computeIfAbsent(ids[row], id -> new ArrayList<>()).add(row);
    }
    final PostingChunk chunk = new PostingChunk(ids.length);
    lists.values().forEach(list -> {
      if (!chunk.hasRoomFor(list.size())) {
        choosePostings(selector, chunk);
      }
      chunk.add(list.stream().mapToInt(row -> row).toArray(), 0, list.size());
    });
    choosePostings(selector, chunk);
  }

  private void choosePostings(FormSelector<PostingChunk> selector, PostingChunk chunk) {
    chosen.add(selector
        .chooseDirect(chunk, ByteOrder.LITTLE_ENDIAN, (form, lists) -> false, SelectionTrace.NONE)
        .form()
        .name());
    chunk.clear();
  }

  // Columns

  /** Dictionary ids of string columns. */
  private Map<String, int[]> idColumns() {
    final int[] commenters = random.uniform(40, 20);
    final int[] crawled = random.uniform(200, 17);
    final Map<String, int[]> columns = new LinkedHashMap<>();
    columns.put("never set", RandomData.constant(ROWS, 0));
    columns.put("tenants, by which rows are sorted", random.runs(ROWS, 12, 5_000, 10_000, 20_000));
    columns.put("countries", random.zipf(ROWS, 200));
    columns.put("users", random.uniform(ROWS, 17));
    columns.put("shards", random.uniform(ROWS, 8));
    columns.put("flags", random.uniform(ROWS, 1));
    columns.put("errors, nearly always null", random.sparse(ROWS, 10, 300));
    columns.put("status, nearly always the last", ids(i -> random.nextInt(40) == 0 ? random.nextInt(4) : 4));
    columns.put("weekdays", ids(i -> random.nextInt(5)));
    columns.put("names, some of them rare", random.exceptions(ROWS, 6, 18, 40));
    columns.put("comments of few users", ids(i -> commenters[random.nextInt(commenters.length)]));
    columns.put("sessions", random.runs(ROWS, 16, 3, 8, 30));
    columns.put("states", random.runs(ROWS, 5, 1, 2, 3, 10));
    columns.put("pages of sessions", random.phrases(ROWS, 14, 300, 25));
    columns.put("pages of a crawler", ids(random.phrases(ROWS, 7, 60, 30), i -> crawled[i]));
    columns.put("versions of hosts in turn", random.phrases(ROWS, 3, 12, 9));
    columns.put("order numbers, sorted", RandomData.sequence(ROWS, 0));
    columns.put("times, sorted", sums(ROWS, 60));
    columns.put("ids of partitions of different sizes", ids(i -> random.uniform(4 + i / 128 * 7 % 12)));
    columns.put("late data: twelve rows", random.uniform(12, 3));
    columns.put("late data: 200 rows", random.uniform(200, 7));
    return columns;
  }

  /** Bits of number columns. */
  private Map<String, long[]> numberColumns(NumberType type) {
    // Longs are hundredths where others are fractions.
    final double cent = type == NumberType.LONG ? 1 : 100;
    final double[] rates = IntStream.range(0, 60).mapToDouble(i -> 1e9 * random.nextGaussian()).toArray();
    final double[] prices = IntStream.range(0, 300).mapToDouble(i -> random.nextInt(10_000_000) / cent).toArray();
    final double[] devices = IntStream.range(0, 4000).mapToDouble(i -> 1e9 * random.nextGaussian()).toArray();
    final long[] hashes = IntStream.range(0, 500).mapToLong(i -> NumberData.anyBits(type, random)).toArray();
    final int[] held = random.runs(NUMBERS, 15, 4, 9, 60);
    final int[] tenants = random.runs(NUMBERS, 20, 900, 5000);
    final int[] pages = random.phrases(NUMBERS, 14, 200, 25);
    final int[] counter = sums(NUMBERS, 100);
    final double firstMinute = 1_442_016_000_000.0;
    final Map<String, long[]> columns = new LinkedHashMap<>();
    final BiConsumer<String, IntToDoubleFunction> numbers = (name, number) ->
        columns.put(name, bits(NUMBERS, i -> NumberData.bits(type, number.applyAsDouble(i))));
    numbers.accept("never set", i -> 0);
    numbers.accept("version", i -> 3);
    numbers.accept("errors", i -> random.nextInt(200) == 0 ? 1 + random.nextInt(30) : 0);
    numbers.accept("bytes sent", i -> Math.floor(Math.exp(8 + 2 * random.nextGaussian())));
    numbers.accept("prices", i -> (90_000 + random.nextInt(9_000_000)) / cent);
    numbers.accept("list prices", i -> prices[random.nextInt(prices.length)]);
    numbers.accept("temperatures that hold", i -> held[i] / cent);
    numbers.accept("tenants, by which rows are sorted", i -> tenants[i]);
    numbers.accept("rates", i -> rates[random.nextInt(rates.length)]);
    numbers.accept("rates of five", i -> rates[random.nextInt(5)]);
    numbers.accept("rates of pages of sessions", i -> rates[pages[i] % rates.length]);
    numbers.accept("sizes of pages of sessions", i -> pages[i]);
    numbers.accept("measures of one sign", i -> 4.7e11 + 2e9 * random.nextGaussian());
    numbers.accept("measures of both signs", i -> 1e5 * random.nextGaussian());
    numbers.accept("measures of devices in turn", i -> devices[i % devices.length]);
    numbers.accept("a counter", i -> 1e6 + counter[i]);
    numbers.accept("row numbers", i -> i);
    numbers.accept("minutes", i -> firstMinute + i / 40 * 60_000.0);
    numbers.accept("milliseconds", i -> firstMinute + i * 977.0 + random.nextInt(500));
    numbers.accept("a clock that now and then is late", i -> firstMinute + 6e4 * i + random.nextInt(300) / 299);
    columns.put("late data: twelve rows", bits(12, i -> NumberData.bits(type, 1 + random.nextInt(200))));
    columns.put("hashes", bits(NUMBERS, i -> NumberData.anyBits(type, random)));
    columns.put("hashes of sessions", bits(NUMBERS, i -> hashes[held[i] % hashes.length]));
    return columns;
  }

  private static int[] ids(IntUnaryOperator id) {
    return ids(RandomData.sequence(ROWS, 0), id);
  }

  private static int[] ids(int[] of, IntUnaryOperator id) {
    return IntStream.of(of).map(id).toArray();
  }

  private static long[] bits(int length, IntToLongFunction bits) {
    return IntStream.range(0, length).mapToLong(bits::applyAsLong).toArray();
  }

  /** Numbers that rise by less than a bound. */
  private int[] sums(int length, int bound) {
    final int[] sums = IntStream.range(0, length).map(i -> random.nextInt(bound)).toArray();
    Arrays.parallelPrefix(sums, Integer::sum);
    return sums;
  }
}
