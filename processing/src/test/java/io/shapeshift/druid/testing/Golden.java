// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.google.common.base.Splitter;
import io.shapeshift.druid.form.numbers.NumberType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Bytes that are for ever: a text file under {@code src/test/resources/golden} with examples of values and, in hex, the
 * bytes that they are stored as.
 *
 * <pre>
 * # A comment.
 * values 1 300 3x7 2x5,6 10..12
 * bytes  00 01 02   # to the end of the line
 *        03 04
 * </pre>
 * Where a later writer makes other bytes of the same values, the former ones stay, to be read for ever:
 *
 * <pre>
 * values 1 300
 * former 00 01 05
 * </pre>
 * In values {@code 3x7} is 7 7 7, {@code 2x5,6} is 5 6 5 6, {@code 10..12} is 10 11 12, and {@code 2x1..3} is
 * 1 2 3 1 2 3. Values that are longs, doubles or floats may be given by their bits, in hex, {@code bits7fc00001}, and
 * the name of a form may stand before them: {@code raw: 0.1 -0.0 NaN}.
 *
 * <p>To add an example, write its values and run the test with {@code -Dshapeshift.golden.write=true}: that fills in
 * the bytes of the examples that have none, and fails, so that nobody takes unseen bytes for golden. To change bytes,
 * delete them first; once released, do not.
 */
public final class Golden {
  private static final String WRITE_PROPERTY = "shapeshift.golden.write";
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
  private static final Splitter SPACE = Splitter.on(' ').omitEmptyStrings();
  private static final Splitter COMMA = Splitter.on(',');
  private static final char FORM_END = ':';
  private static final String BITS = "bits";
  private static final String VALUES = "values ";
  private static final String BYTES = "bytes  ";
  private static final String FORMER = "former ";
  private static final String CONTINUED = " ".repeat(BYTES.length());

  private Golden() {}

  /**
   * Values and what they are stored as.
   *
   * @param spec   the values as in the file
   * @param hex    the bytes as in the file
   * @param former whether these are bytes that are read, but no longer written
   */
  public record Example(String spec, String hex, boolean former) {
    /** The values, spelled out. */
    public int[] values() {
      return SPACE.splitToStream(spec).flatMapToInt(Example::expand).toArray();
    }

    /** What stands before the values: the form that is to store them. */
    public String form() {
      return spec.substring(0, spec.indexOf(FORM_END));
    }

    /** The bits of the values, spelled out, which are numbers of a type. */
    public long[] bits(NumberType type) {
      final String numbers = spec.substring(spec.indexOf(FORM_END) + 1);
      return SPACE.splitToStream(numbers).flatMapToLong(token -> expand(type, token)).toArray();
    }

    private static LongStream expand(NumberType type, String token) {
      final int times = token.indexOf('x');
      if (times > 0) {
        final String repeated = token.substring(times + 1);
        return IntStream.range(0, Integer.parseInt(token.substring(0, times))).boxed()
            .flatMapToLong(i -> expand(type, repeated));
      }
      final int to = token.indexOf("..");
      if (to > 0) {
        return LongStream.rangeClosed(Long.parseLong(token.substring(0, to)), Long.parseLong(token.substring(to + 2)))
            .map(number -> bits(type, Long.toString(number)));
      }
      return COMMA.splitToStream(token).mapToLong(number -> bits(type, number));
    }

    private static long bits(NumberType type, String number) {
      if (number.startsWith(BITS)) {
        return Long.parseUnsignedLong(number, BITS.length(), number.length(), 16);
      }
      return switch (type) {
        case LONG -> Long.parseLong(number);
        case DOUBLE -> Double.doubleToRawLongBits(Double.parseDouble(number));
        case FLOAT -> NumberArrays.bits(Float.parseFloat(number));
      };
    }

    /** The bytes. */
    public byte[] bytes() {
      return HEX.parseHex(hex);
    }

    private static IntStream expand(String token) {
      final int times = token.indexOf('x');
      if (times > 0) {
        final String repeated = token.substring(times + 1);
        return IntStream.range(0, Integer.parseInt(token.substring(0, times))).flatMap(i -> expand(repeated));
      }
      final int to = token.indexOf("..");
      if (to > 0) {
        return IntStream.rangeClosed(
            Integer.parseInt(token.substring(0, to)), Integer.parseInt(token.substring(to + 2)));
      }
      return COMMA.splitToStream(token).mapToInt(Integer::parseInt);
    }
  }

  /** The file of something in a byte order. */
  public static Path file(String name, ByteOrder order) {
    return FOLDER.resolve(name + "-" + order.toString().toLowerCase(Locale.ROOT).replace('_', '-') + ".hex");
  }

  /** The file of something that is the same in both byte orders. */
  public static Path file(String name) {
    return FOLDER.resolve(name + ".hex");
  }

  /** The examples in a file. */
  public static List<Example> read(Path file) throws IOException {
    final List<Example> examples = new ArrayList<>();
    String values = null;
    boolean former = false;
    StringBuilder hex = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(VALUES)) {
        add(examples, values, hex, former);
        values = line.substring(VALUES.length()).strip();
        hex = new StringBuilder();
        former = false;
      } else if (line.startsWith(BYTES) || line.startsWith(FORMER) || line.startsWith(CONTINUED)) {
        former |= line.startsWith(FORMER);
        hex.append(line.substring(BYTES.length()).replaceAll("#.*", "").strip()).append(' ');
      }
    }
    add(examples, values, hex, former);
    return examples;
  }

  private static void add(List<Example> examples, String values, CharSequence hex, boolean former) {
    if (values != null) {
      examples.add(new Example(values, hex.toString().strip(), former));
    }
  }

  /**
   * Checks that the values of each example are stored as its bytes, unless these are former ones.
   *
   * @return all examples, former ones included
   */
  public static List<Example> check(Path file, Function<int[], byte[]> encoder) throws IOException {
    return checkExamples(file, example -> encoder.apply(example.values()));
  }

  /** The same for values that are not ints. */
  public static List<Example> checkExamples(Path file, Function<Example, byte[]> encoder) throws IOException {
    assertTrue(Files.exists(file), () -> file + " is missing: make it with a comment and the values of two examples, "
        + "as Golden says, and run this test with -D" + WRITE_PROPERTY + "=true");
    if (Boolean.getBoolean(WRITE_PROPERTY)) {
      write(file, encoder);
    }
    final List<Example> examples = read(file);
    for (Example example : examples) {
      assertFalse(example.hex().isEmpty(),
          () -> file + ": " + example.spec() + " has no bytes yet: run this test with -D" + WRITE_PROPERTY + "=true");
      if (!example.former()) {
        assertEquals(example.hex(), HEX.formatHex(encoder.apply(example)), file + ": " + example.spec());
      }
    }
    return examples;
  }

  private static void write(Path file, Function<Example, byte[]> encoder) throws IOException {
    final List<String> lines = new ArrayList<>(Files.readAllLines(file));
    boolean written = false;
    for (int i = lines.size() - 1; i >= 0; i--) {
      final boolean hasBytes = i + 1 < lines.size()
          && (lines.get(i + 1).startsWith(BYTES) || lines.get(i + 1).startsWith(FORMER));
      if (lines.get(i).startsWith(VALUES) && !hasBytes) {
        final String spec = lines.get(i).substring(VALUES.length()).strip();
        lines.addAll(i + 1, format(encoder.apply(new Example(spec, "", false))));
        written = true;
      }
    }
    if (written) {
      Files.write(file, lines);
      fail("Wrote " + file + ": check the new bytes, and run again without " + WRITE_PROPERTY);
    }
  }

  private static List<String> format(byte[] bytes) {
    final int bytesPerLine = 32;
    return IntStream.range(0, (bytes.length + bytesPerLine - 1) / bytesPerLine)
        .map(line -> line * bytesPerLine)
        .mapToObj(from -> (from == 0 ? BYTES : CONTINUED)
            + HEX.formatHex(bytes, from, Math.min(from + bytesPerLine, bytes.length)))
        .toList();
  }
}
