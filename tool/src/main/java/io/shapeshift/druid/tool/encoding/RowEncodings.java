// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Ascii;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;

/** Registry of row encodings by name, and those that an indexSpec requests. */
public final class RowEncodings {
  /** Name of the encoding of shape-shifting row parts. */
  public static final String SHAPE_SHIFTING = "shapeshift";

  private static final String DRUID = "druid-";
  private static final String AUTO = "auto-";
  private static final String SHAPE_SHIFT = SHAPE_SHIFTING + "-";
  static final String FORM = "form-";

  /** Druid's default, with which all others are compared. */
  public static final RowEncoding DRUID_LZ4 = new StockEncoding(CompressionStrategy.LZ4, LongEncodingStrategy.LONGS);

  private RowEncodings() {}

  /** Stock encodings with one encoding of longs, the default first. */
  private static List<RowEncoding> stock(LongEncodingStrategy longEncoding) {
    return Stream.of(CompressionStrategy.LZ4, CompressionStrategy.ZSTD, CompressionStrategy.UNCOMPRESSED)
        .<RowEncoding>map(compression -> new StockEncoding(compression, longEncoding))
        .toList();
  }

  /** Shape-shifting encoding under a target. */
  public static ShapeShiftEncoding shapeShifting(OptimizationTarget target, BlockSize blockSize) {
    return new ShapeShiftEncoding(target, blockSize);
  }

  /**
   * All encodings that {@code analyze} compares: stock encodings, stock encodings of longs only, and shape-shifting
   * encodings.
   */
  public static List<RowEncoding> all(BlockSize blockSize) {
    final List<RowEncoding> all = new ArrayList<>(stock(LongEncodingStrategy.LONGS));
    all.addAll(stock(LongEncodingStrategy.AUTO));
    for (OptimizationTarget target : OptimizationTarget.values()) {
      all.add(shapeShifting(target, blockSize));
    }
    return List.copyOf(all);
  }

  /**
   * Encoding that an indexSpec requests.
   *
   * @param strategy          strategy of the type; the other parameters matter only for stock columns
   * @param idCompression     {@code dimensionCompression}
   * @param numberCompression {@code metricCompression}, which also applies to number dimensions
   * @param longEncoding      {@code longEncoding}
   */
  public static RowEncoding of(
      EncodingStrategy strategy,
      CompressionStrategy idCompression,
      CompressionStrategy numberCompression,
      LongEncodingStrategy longEncoding
  ) {
    return strategy.isShapeShift()
           ? new ShapeShiftEncoding(strategy.optimizationTarget(), strategy.blockSize())
           : new StockEncoding(idCompression, numberCompression, longEncoding);
  }

  /**
   * Parses the name of an encoding: {@code druid-COMPRESSION} as in {@code druid-lz4}, {@code druid-auto-COMPRESSION}
   * for longs under Druid's strategy auto, {@code shapeshift-TARGET} or {@code shapeshift-TARGET-BLOCKSIZE} as in
   * {@code shapeshift-faster-small}, or {@code form-FORM} for shape-shifting columns in a single form, whether or not
   * it suits the values.
   *
   * @throws IllegalArgumentException if there is no such encoding; the message lists all names
   */
  public static RowEncoding parse(String name) {
    return parsed(name).orElseThrow(() -> new IllegalArgumentException(
        "There is no encoding " + name + ". There are " + DRUID + "COMPRESSION and, for longs, " + DRUID + AUTO
            + "COMPRESSION, as in " + DRUID_LZ4.name() + ", " + SHAPE_SHIFT + "TARGET with a target of "
            + lowerCase(OptimizationTarget.values()) + ", " + SHAPE_SHIFT + "TARGET-BLOCKSIZE with a block size of "
            + lowerCase(BlockSize.values()) + ", and " + FORM + "FORM with a form of "
            + String.join(", ", formNames())
    ));
  }

  /** Names of the forms of any type, without those that only codecs use. */
  private static Set<String> formNames() {
    final Set<String> names = new LinkedHashSet<>();
    IntForms.of(IntForm.Use.IDS).forEach(form -> names.add(form.name()));
    for (NumberType type : NumberType.values()) {
      NumberForms.of(type).forEach(form -> names.add(form.name()));
    }
    return names;
  }

  private static Optional<RowEncoding> parsed(String name) {
    if (name.startsWith(DRUID)) {
      final boolean auto = name.startsWith(AUTO, DRUID.length());
      return constant(CompressionStrategy.values(), name.substring(DRUID.length() + (auto ? AUTO.length() : 0)))
          .map(each -> new StockEncoding(each, auto ? LongEncodingStrategy.AUTO : LongEncodingStrategy.LONGS));
    }
    if (name.startsWith(FORM)) {
      final String form = name.substring(FORM.length());
      return formNames().contains(form)
             ? Optional.of(new ShapeShiftEncoding(name, new ShapeShiftEncoding.OneForm(form), BlockSize.LARGE))
             : Optional.empty();
    }
    if (!name.startsWith(SHAPE_SHIFT)) {
      return Optional.empty();
    }
    final String[] parts = name.substring(SHAPE_SHIFT.length()).split("-", 2);
    final Optional<OptimizationTarget> target = constant(OptimizationTarget.values(), parts[0]);
    return parts.length == 1
           ? target.map(each -> new ShapeShiftEncoding(each, BlockSize.LARGE))
           : target.flatMap(each -> constant(BlockSize.values(), parts[1])
               .map(blockSize -> new ShapeShiftEncoding(name, new ShapeShiftEncoding.AllForms(each), blockSize)));
  }

  private static <T extends Enum<T>> Optional<T> constant(T[] constants, String name) {
    return Stream.of(constants).filter(each -> Ascii.toLowerCase(each.name()).equals(name)).findFirst();
  }

  private static String lowerCase(Enum<?>[] constants) {
    return Stream.of(constants).map(each -> Ascii.toLowerCase(each.name())).collect(Collectors.joining(", "));
  }

  /** Name of the shape-shifting encoding under a target. */
  public static String shapeShiftName(OptimizationTarget target) {
    return SHAPE_SHIFT + Ascii.toLowerCase(target.name());
  }

  /** Name of the encoding of values other than longs in a segment whose longs have the named encoding. */
  public static String withoutLongs(String name) {
    return name.startsWith(DRUID + AUTO) ? DRUID + name.substring(DRUID.length() + AUTO.length()) : name;
  }

  /** Name of the stock encoding with a compression and an encoding of longs. */
  static String stockName(CompressionStrategy compression, LongEncodingStrategy longEncoding) {
    return DRUID + (longEncoding == LongEncodingStrategy.AUTO ? AUTO : "") + compression;
  }
}
