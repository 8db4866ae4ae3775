// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.strings.TextPart;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Searches a dictionary for the texts with a part, with its index of trigrams and without. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class TextIndexBenchmark {
  private static final int NUM_PARTS = 4;
  private static final int MOST_TRIES = 20_000;
  private static final int SHORTEST_PART = 3;
  private static final int LONGEST_PART = 12;

  /** Name of a kind of {@link SearchedTexts}. */
  @Param({"url", "title", "message"})
  private String texts;

  /** Number of distinct texts. */
  @Param({"10000", "100000", "1000000", "5000000"})
  private int values;

  /** Texts that have the part: {@code none}, {@code one}, or about a share of them. */
  @Param({"none", "one", "0.0001", "0.1"})
  private String hits;

  /** What searches: {@code druid}, {@code without-index} or {@code with-index}. */
  @Param({"druid", "without-index", "with-index"})
  private String way;

  private List<String> parts;
  private ToIntFunction<String> search;

  /** Writes the dictionary, and chooses the parts. */
  @Setup
  public void setUp() throws IOException {
    final List<String> all = SearchedTexts.parse(texts).texts(values);
    final byte[] indexed = encode(all, true);
    final StringDictionary dictionary = open(indexed);
    parts = parts(all, dictionary);
    final int size;
    switch (way) {
      case "druid" -> {
        final EncodedDictionary druid = EncodedDictionary.of(DictionaryEncoding.DRUID_UTF8, all);
        final Indexed<String> strings = druid.readers().get().strings();
        search = part -> iterate(strings, part);
        size = druid.sizeInBytes();
      }
      case "without-index" -> {
        final byte[] plain = encode(all, false);
        final StringDictionary withoutIndex = open(plain);
        search = part -> find(withoutIndex, part);
        size = plain.length;
      }
      case "with-index" -> {
        search = part -> find(dictionary, part);
        size = indexed.length;
      }
      default -> throw new IllegalArgumentException(
          "way is " + way + ": it must be druid, without-index or with-index");
    }
    EncodingProfiler.reportDictionary(values, search() / NUM_PARTS, size);
  }

  private static byte[] encode(List<String> texts, boolean hasIndex) throws IOException {
    try (SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance()
                 .makeSegmentWriteOutMedium(new File(System.getProperty("java.io.tmpdir")))) {
      final StringDictionarySerializer writer =
          new StringDictionarySerializer("texts", medium, OptimizationTarget.FASTBUTSMALLISH, hasIndex);
      writer.open();
      for (String text : texts) {
        writer.write(text);
      }
      final ByteArrayOutputStream out = new ByteArrayOutputStream(Math.toIntExact(writer.getSerializedSize()));
      writer.writeTo(Channels.newChannel(out), null);
      return out.toByteArray();
    }
  }

  private static StringDictionary open(byte[] bytes) {
    return StringDictionary.read("texts", ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
  }

  private static int iterate(Indexed<String> strings, String part) {
    int found = 0;
    for (String text : strings) {
      found += text.contains(part) ? 1 : 0;
    }
    return found;
  }

  private static int find(StringDictionary dictionary, String part) {
    final int[] found = {0};
    dictionary.get().find(List.of(TextPart.of(part)), true, (id, run, index) -> found[0]++);
    return found[0];
  }

  /** Chooses parts of random texts, or halves of two of them, that as many texts have as the parameter says. */
  private List<String> parts(List<String> texts, StringDictionary dictionary) {
    final double wanted = switch (hits) {
      case "none" -> 0;
      case "one" -> 1;
      default -> Math.max(1, Double.parseDouble(hits) * texts.size());
    };
    final Random random = new Random(2);
    final List<String> chosen = new ArrayList<>();
    for (int i = 0; chosen.size() < NUM_PARTS; i++) {
      if (i == MOST_TRIES) {
        throw new IllegalArgumentException(
            "Only " + chosen.size() + " parts were found that " + hits + " of " + values + " texts have");
      }
      final String part = wanted == 0
                          ? part(texts, SHORTEST_PART, random) + part(texts, SHORTEST_PART, random)
                          : part(texts, SHORTEST_PART + random.nextInt(LONGEST_PART - SHORTEST_PART + 1), random);
      final int found = find(dictionary, part);
      if (wanted <= 1 ? found == (int) wanted : found > wanted / 2 && found < wanted * 2) {
        chosen.add(part);
      }
    }
    return chosen;
  }

  private static String part(List<String> texts, int length, Random random) {
    final String text = texts.get(random.nextInt(texts.size()));
    final int start = random.nextInt(Math.max(1, text.length() - length));
    return text.substring(start, Math.min(text.length(), start + length));
  }

  /** Searches for each part, and returns the number of texts found. */
  @Benchmark
  @OperationsPerInvocation(NUM_PARTS)
  public int search() {
    int found = 0;
    for (String part : parts) {
      found += search.applyAsInt(part);
    }
    return found;
  }

  /**
   * Prints sizes and build times of all kinds of texts.
   *
   * @param args numbers of texts
   */
  public static void main(String[] args) throws IOException {
    System.out.println(
        "texts,values,plainBytes,dictionaryBytes,indexBytes,indexPercent,buildMs,buildWithIndexMs,ratio");
    for (String number : args) {
      for (SearchedTexts kind : SearchedTexts.values()) {
        System.out.println(measureBuild(kind, Integer.parseInt(number)));
      }
    }
  }

  static String measureBuild(SearchedTexts kind, int values) throws IOException {
    final List<String> texts = kind.texts(values);
    final long plain = texts.stream().mapToLong(String::length).sum();
    final double[] millis = {Double.MAX_VALUE, Double.MAX_VALUE};
    final long[] bytes = new long[2];
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 2; i++) {
        final long start = System.nanoTime();
        bytes[i] = encode(texts, i == 1).length;
        millis[i] = Math.min(millis[i], (System.nanoTime() - start) / 1e6);
      }
    }
    return String.join(",", kind.toString(), "" + values, "" + plain, "" + bytes[0], "" + (bytes[1] - bytes[0]),
        "" + 100 * (bytes[1] - bytes[0]) / plain, "" + Math.round(millis[0]), "" + Math.round(millis[1]),
        "" + Math.round(100 * millis[1] / millis[0]) / 100.0);
  }
}
