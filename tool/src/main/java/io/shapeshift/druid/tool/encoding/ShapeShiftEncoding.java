// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.select.SelectionTrace;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.ColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.SingleValueColumnarIntsSerializer;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Encoding of shape-shifting columns. */
public final class ShapeShiftEncoding extends RowEncoding {
  /** Forms among which shape-shifting columns choose. */
  sealed interface Choice {
    /** Selector among the forms of ints; empty if there are none. */
    Optional<FormSelector<IntChunk>> ints();

    /** Selector among the forms of numbers; empty if there are none. */
    Optional<FormSelector<NumberChunk>> numbers(NumberType type);
  }

  /** All forms, as in segments. */
  record AllForms(OptimizationTarget target) implements Choice {
    @Override
    public Optional<FormSelector<IntChunk>> ints() {
      return Optional.of(FormSelectors.forInts(target));
    }

    @Override
    public Optional<FormSelector<NumberChunk>> numbers(NumberType type) {
      return Optional.of(FormSelectors.forNumbers(type, target));
    }
  }

  /**
   * Some forms.
   *
   * @param keeps test of the name of a form
   */
  record SomeForms(OptimizationTarget target, Predicate<String> keeps) implements Choice {
    @Override
    public Optional<FormSelector<IntChunk>> ints() {
      return Optional.of(FormSelectors.forInts(target).among(keeps));
    }

    @Override
    public Optional<FormSelector<NumberChunk>> numbers(NumberType type) {
      return Optional.of(FormSelectors.forNumbers(type, target).among(keeps));
    }
  }

  /** All forms, however slowly they are read. */
  record AnySpeed(OptimizationTarget target) implements Choice {
    @Override
    public Optional<FormSelector<IntChunk>> ints() {
      return Optional.of(FormSelectors.forInts(target).ofAnySpeed());
    }

    @Override
    public Optional<FormSelector<NumberChunk>> numbers(NumberType type) {
      return Optional.of(FormSelectors.forNumbers(type, target).ofAnySpeed());
    }
  }

  /** A single form. */
  record OneForm(String name) implements Choice {
    @Override
    public Optional<FormSelector<IntChunk>> ints() {
      // Forms that only codecs use cannot be chosen.
      return IntForms.of(IntForm.Use.IDS).stream()
          .filter(form -> form.name().equals(name))
          .map(form -> FormSelectors.forInts(List.of(form), OptimizationTarget.SMALLER))
          .findFirst();
    }

    @Override
    public Optional<FormSelector<NumberChunk>> numbers(NumberType type) {
      return NumberForms.of(type).stream()
          .filter(form -> form.name().equals(name))
          .map(form -> FormSelectors.forNumbers(List.of(form), OptimizationTarget.SMALLER))
          .findFirst();
    }
  }

  private final Choice choice;
  private final boolean isForLookUps;
  private final BlockSize blockSize;
  private final Supplier<? extends SelectionTrace> traces;

  ShapeShiftEncoding(OptimizationTarget target, BlockSize blockSize) {
    this(RowEncodings.shapeShiftName(target), new AllForms(target), blockSize);
  }

  ShapeShiftEncoding(String name, Choice choice, BlockSize blockSize) {
    this(name, choice, false, blockSize, () -> SelectionTrace.NONE);
  }

  private ShapeShiftEncoding(
      String name,
      Choice choice,
      boolean isForLookUps,
      BlockSize blockSize,
      Supplier<? extends SelectionTrace> traces
  ) {
    super(name);
    this.choice = choice;
    this.isForLookUps = isForLookUps;
    this.blockSize = blockSize;
    this.traces = traces;
  }

  /**
   * Copy that reports the decisions of selection.
   *
   * @param traces supplier of one trace per {@link Piece} of the rows, in order
   */
  public ShapeShiftEncoding traced(Supplier<? extends SelectionTrace> traces) {
    return new ShapeShiftEncoding(name(), choice, isForLookUps, blockSize, traces);
  }

  @Override
  public ShapeShiftEncoding forLookUps() {
    return new ShapeShiftEncoding(name(), choice, true, blockSize, traces);
  }

  /** Whether columns consist of a single form. */
  boolean isOneForm() {
    return choice instanceof OneForm;
  }

  @Override
  public boolean supports(RowValues values) {
    return values instanceof RowValues.Numbers numbers
           ? choice.numbers(numbers.type()).isPresent()
           : choice.ints().isPresent();
  }

  @Override
  Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes) {
    bytes.order(IndexIO.BYTE_ORDER);
    if (values instanceof RowValues.Ids) {
      return ShapeShiftingColumnarIntsSupplier.read(column, bytes);
    }
    if (values instanceof RowValues.MultiIds) {
      return ShapeShiftingColumnarMultiIntsSupplier.read(column, bytes);
    }
    if (values instanceof RowValues.Longs) {
      return ShapeShiftingColumnarLongsSupplier.read(column, bytes);
    }
    return values instanceof RowValues.Floats
           ? ShapeShiftingColumnarFloatsSupplier.read(column, bytes)
           : ShapeShiftingColumnarDoublesSupplier.read(column, bytes);
  }

  private FormSelector<IntChunk> ints() {
    return choice.ints().orElseThrow().traced(traces);
  }

  private FormSelector<NumberChunk> numbers(NumberType type) {
    final FormSelector<NumberChunk> selector = choice.numbers(type).orElseThrow().traced(traces);
    return isForLookUps ? selector.forLookUps() : selector;
  }

  @Override
  SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium) {
    return new ShapeShiftingColumnarIntsSerializer(column, medium, blockSize, ints(), cardinality, IndexIO.BYTE_ORDER);
  }

  @Override
  ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium) {
    return new ShapeShiftingColumnarMultiIntsSerializer(
        column, medium, blockSize, ints(), cardinality, IndexIO.BYTE_ORDER);
  }

  @Override
  ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium) {
    return new ShapeShiftingColumnarLongsSerializer(
        column,
        medium,
        blockSize,
        numbers(NumberType.LONG),
        IndexIO.BYTE_ORDER
    );
  }

  @Override
  ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium) {
    return new ShapeShiftingColumnarFloatsSerializer(
        column,
        medium,
        blockSize,
        numbers(NumberType.FLOAT),
        IndexIO.BYTE_ORDER
    );
  }

  @Override
  ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium) {
    return new ShapeShiftingColumnarDoublesSerializer(
        column,
        medium,
        blockSize,
        numbers(NumberType.DOUBLE),
        IndexIO.BYTE_ORDER
    );
  }

  @Override
  public DictionaryEncoding dictionary() {
    return choice instanceof AllForms all ? DictionaryEncoding.shapeShifting(all.target) : DictionaryEncoding.UTF8;
  }

  @Override
  public boolean hasPostingLists() {
    return choice instanceof AllForms;
  }

  @Override
  Serializer index(String column, IndexValues values, SegmentWriteOutMedium medium) throws IOException {
    final PostingListsSerializer lists =
        new PostingListsSerializer(column, medium, target(), values.numRows());
    lists.open();
    values.forEach((from, to) -> lists.add(values.rows(), from, to));
    return lists;
  }

  /** Optimization target of the selection. */
  public OptimizationTarget target() {
    return choice instanceof AllForms all ? all.target : OptimizationTarget.SMALLER;
  }

  /** Block size of the columns. */
  public BlockSize blockSize() {
    return blockSize;
  }

  /** Whether a scan of ids may replace posting lists. */
  boolean mayDoWithoutLists() {
    return choice instanceof AllForms all && all.target == OptimizationTarget.SMALLER;
  }

  /** Encoding of ids that are fast enough to be scanned instead of posting lists. */
  ShapeShiftEncoding ofScannedIds() {
    return mayDoWithoutLists()
           ? new ShapeShiftEncoding(
               name(), new AllForms(OptimizationTarget.FASTBUTSMALLISH), isForLookUps, blockSize, traces)
           : this;
  }
}
