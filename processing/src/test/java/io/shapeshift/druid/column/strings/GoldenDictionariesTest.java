// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.base.Splitter;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.strings.BlockCoding;
import io.shapeshift.druid.form.strings.ChainedCoding;
import io.shapeshift.druid.form.strings.FrontCoding;
import io.shapeshift.druid.form.strings.SymbolTable;
import io.shapeshift.druid.form.strings.TextCoding;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.TextPattern;
import io.shapeshift.druid.form.strings.added.AddedCoding;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.testing.Golden;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dictionaries of strings in each coding, byte by byte. */
class GoldenDictionariesTest {
  private static final Set<String> CODINGS =
      Set.of("front", "front-suffix-symbols", "chained", "pattern", "blocks", CheckedTexts.NAME);
  /** Word of examples with a text index. */
  private static final String TEXT_INDEX = "text-index";
  private static final Splitter BAR = Splitter.on('|').trimResults();
  private static final Splitter SPACE = Splitter.on(' ').omitEmptyStrings();
  private static final Splitter COMMA = Splitter.on(',');

  @BeforeAll
  static void install() {
    TextCodings.install(List.of(AddedTexts.of(new CheckedTexts())));
  }

  @AfterAll
  static void uninstall() {
    TextCodings.install(List.of());
  }

  @Test
  void dictionariesMatchTheirGoldenBytes() throws IOException {
    final Set<String> seen = new TreeSet<>();
    for (Golden.Example example
        : Golden.checkExamples(Golden.file("strings/dictionaries"), GoldenDictionariesTest::encode)) {
      seen.add(name(example));
      final StringDictionary dictionary = StringDictionary.read("dim", ByteBuffer.wrap(example.bytes()));
      assertEquals(name(example), dictionary.coding().name(), example.spec());
      final List<String> found = new ArrayList<>();
      dictionary.get().strings().forEach(found::add);
      assertEquals(texts(example), found, example.spec());
      assertEquals(head(example).contains(TEXT_INDEX), dictionary.textIndex() != null, example.spec());
      TextIndexCheck.check(dictionary, new OnHeapMemorySegmentWriteOutMedium());
    }
    assertEquals(CODINGS, seen, "Add examples of all codings");
  }

  private static byte[] encode(Golden.Example example) {
    try {
      final StringDictionarySerializer serializer = new StringDictionarySerializer(
          "dim",
          new OnHeapMemorySegmentWriteOutMedium(),
          OptimizationTarget.SMALLER,
          head(example).contains(TEXT_INDEX)
      );
      serializer.limitTextIndex(new TextIndexWriter.Limits(1, 1, Integer.MAX_VALUE, 0));
      serializer.open();
      for (String text : texts(example)) {
        serializer.write(text);
      }
      serializer.complete(coding(example));
      final ByteArrayOutputStream out = new ByteArrayOutputStream();
      serializer.writeTo(Channels.newChannel(out), null);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> head(Golden.Example example) {
    return SPACE.splitToList(BAR.splitToList(example.spec()).get(0));
  }

  private static String name(Golden.Example example) {
    return head(example).get(0);
  }

  /** Symbols are named; others have what follows from the texts, and blocks of four. */
  private static TextCoding coding(Golden.Example example) throws IOException {
    return switch (name(example)) {
      case "front" -> FrontCoding.PLAIN;
      case "chained" -> ChainedCoding.INSTANCE;
      case "front-suffix-symbols" -> {
        final List<String> symbols = COMMA.splitToList(head(example).get(1));
        final ByteBuffer bytes = ByteBuffer.allocate(1 << 8).put((byte) symbols.size());
        symbols.forEach(symbol -> bytes.put((byte) symbol.length()));
        symbols.forEach(symbol -> bytes.put(StringUtils.toUtf8(symbol)));
        yield new FrontCoding(SymbolTable.read(bytes.flip()));
      }
      case "pattern" -> {
        final TextPattern.Finder finder = new TextPattern.Finder();
        for (String text : texts(example)) {
          if (text != null) {
            finder.add(Arrays.copyOf(StringUtils.toUtf8(text), text.length() + Long.BYTES), text.length());
          }
        }
        yield finder.pattern();
      }
      case "blocks" -> BlockCoding.read(ByteBuffer.wrap(new byte[] {2, (byte) 0x80}));
      case CheckedTexts.NAME -> {
        final TextSpill texts = new TextSpill(new OnHeapMemorySegmentWriteOutMedium().makeWriteOutBytes());
        for (String text : texts(example)) {
          if (text != null) {
            texts.add(StringUtils.toUtf8(text));
          }
        }
        texts.complete();
        yield AddedCoding.learn(AddedTexts.of(new CheckedTexts()), new SpilledTexts(texts));
      }
      default -> throw new IllegalArgumentException(example.spec());
    };
  }

  /** {@code null} is null, and {@code 00..99} are all numbers of two digits. */
  private static List<String> texts(Golden.Example example) {
    final List<String> texts = new ArrayList<>();
    final Set<String> sorted = new TreeSet<>();
    final List<String> parts = BAR.splitToList(example.spec());
    for (String text : parts.subList(1, parts.size() - 1)) {
      if (text.equals("null")) {
        texts.add(null);
      } else if (text.equals("00..99")) {
        IntStream.range(0, 100).forEach(i -> sorted.add(StringUtils.format("%02d", i)));
      } else {
        sorted.add(text);
      }
    }
    texts.addAll(sorted);
    return texts;
  }
}
