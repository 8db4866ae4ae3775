// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.numbers.frame.FramedForm;
import io.shapeshift.druid.testing.Golden;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks of numbers in all forms, byte by byte. */
@ExtendWith(RandomData.Seeded.class)
class NumberGoldenTest {
  static Stream<Arguments> files() {
    return Stream.of(NumberType.values())
        .flatMap(type -> FormContract.orders().stream().map(order -> Arguments.of(type, order)));
  }

  private static Path file(NumberType type, ByteOrder order) {
    return Golden.file("numbers/" + type.toString().toLowerCase(Locale.ROOT), order);
  }

  private static NumberForm form(NumberType type, String name) {
    return NumberForms.of(type).stream().filter(form -> form.name().equals(name)).findFirst().orElseThrow();
  }

  private static byte[] encode(NumberType type, ByteOrder order, Golden.Example example) {
    final NumberForm form = form(type, example.form());
    final NumberSample sample = new NumberSample(type, example.spec(), example.bits(type));
    assertTrue(sample.suits(form), () -> "should suit " + example.spec());
    return sample.encode(form, order).array();
  }

  @ParameterizedTest
  @MethodSource("files")
  void formsMatchTheirGoldenBytes(NumberType type, ByteOrder order, RandomData random) throws IOException {
    final Set<String> seen = new TreeSet<>();
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (Golden.Example example :
          Golden.checkExamples(file(type, order), example -> encode(type, order, example))) {
        final NumberForm form = form(type, example.form());
        final ByteBuffer chunk = ByteBuffer.wrap(example.bytes()).order(order);
        final long[] bits = example.bits(type);
        assertArrayEquals(bits, NumberReference.read(type, chunk.duplicate().order(order), bits.length), example::spec);
        reader.startChunk(bits.length);
        form.transform(chunk, 0, chunk.capacity(), reader);
        NumberReads.assertAll(bits, reader, random, example::spec);
        seen.add(partOf(form));
      }
    }
    final Set<String> all =
        NumberForms.of(type).stream().map(NumberGoldenTest::partOf).collect(Collectors.toCollection(TreeSet::new));
    assertEquals(all, seen, () -> "frames and forms with examples in " + file(type, order));
  }

  /** What must have an example: a frame, whose ints may be in any form of ints, or a form of its own. */
  private static String partOf(NumberForm form) {
    return form instanceof FramedForm framed ? framed.frame.name() : form.name();
  }

  /** The Javadoc of a form or a frame is its specification, which works through an example of the golden file. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "frame/FramedForm      | LONG   | linear-bytepack: 1000000007000 1000000021000 1000000014000",
    "frame/LinearFrame     | LONG   | linear-bytepack: 15x5,6 -9223372036854775808 5",
    "frame/DecimalFrame    | DOUBLE | decimal-bytepack: 0.1 0.2 0.5",
    "frame/DictionaryFrame | FLOAT  | dictionary-bytepack: 4x0.1,-7.7,NaN",
    "frame/DeltaFrame      | LONG   | delta-bytepack: 1000000000000 1000000001000 1000000003000 1000000004000",
    "raw/RawForm           | DOUBLE | raw: 0.1",
    "raw/WideForm          | LONG   | wide: 5000000000 1 3",
    "raw/SplitForm         | DOUBLE | split: 3.141592653589793 2.718281828459045 1.4142135623730951",
    "codec/RawCodecForm    | FLOAT  | raw-lz4: 8x0.1,-7.7,NaN"
  })
  void javadocShowsAGoldenExample(String type, NumberType numbers, String spec) throws IOException {
    final List<Golden.Example> examples = Golden.read(file(numbers, ByteOrder.LITTLE_ENDIAN));
    final String hex =
        examples.stream().filter(example -> example.spec().equals(spec)).findFirst().orElseThrow().hex();
    final String source = Files.readString(
        Path.of("src", "main", "java").resolve(getClass().getPackageName().replace('.', '/')).resolve(type + ".java"));
    assertTrue(
        source.replaceAll("\n \\* *", " ").contains("{@code " + hex + "}"),
        () -> "Javadoc of " + type + " should show {@code " + hex + "}");
  }
}
