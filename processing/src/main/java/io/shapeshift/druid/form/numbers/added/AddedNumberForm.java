// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.added;

import io.shapeshift.druid.api.NumberEncoding;
import io.shapeshift.druid.api.NumberKind;
import io.shapeshift.druid.api.NumberReader;
import io.shapeshift.druid.api.NumberValues;
import io.shapeshift.druid.api.SizeEstimate;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Encoding of numbers of another jar as a form.
 *
 * <pre>
 * | bytes | content                                                          |
 * |-------|------------------------------------------------------------------|
 * | 1     | id, 64 to 127, to which the column's header gives a name         |
 * | rest  | as the encoding of this name has it, in the column's byte order  |
 * </pre>
 */
public final class AddedNumberForm implements NumberForm, AddedForm {
  private final byte id;
  private final NumberEncoding encoding;
  private final String name;
  private final DecodeCost cost;
  private final Set<NumberType> types;

  /** Creates the form of an encoding. */
  public AddedNumberForm(byte id, NumberEncoding encoding) {
    this.id = id;
    this.encoding = encoding;
    this.name = encoding.name();
    this.cost = AddedForm.cost(encoding);
    final Set<NumberKind> kinds = AddedForm.described(encoding, encoding.kinds(), "kinds");
    this.types = Stream.of(NumberType.values())
        .filter(type -> kinds.contains(NumberValuesOfChunk.kind(type)))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether the encoding stores numbers of a type. */
  public boolean suits(NumberType type) {
    return types.contains(type);
  }

  @Override
  public byte id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public AddedForm added() {
    return this;
  }

  @Override
  public DecodeCost cost() {
    return cost;
  }

  @Override
  public Estimate estimate(NumberChunk chunk) {
    final SizeEstimate estimate;
    try {
      estimate = AddedForm.required(encoding.estimate(NumberValuesOfChunk.of(chunk)), "estimate");
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to estimate", chunk.size(), e);
    }
    return AddedForm.estimate(estimate, Limits.MAX_CHUNK_BYTES);
  }

  @Override
  public double scanNanos(NumberChunk chunk) {
    try {
      return encoding.scanNanos(NumberValuesOfChunk.of(chunk));
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to judge", chunk.size(), e);
    }
  }

  @Override
  public void encode(NumberChunk chunk, ByteBuffer out) {
    out.put(id);
    final ByteBuffer rest = out.slice().order(out.order());
    try {
      final NumberValues values = NumberValuesOfChunk.of(chunk);
      encoding.encode(values, rest);
      check(values, rest);
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to encode", chunk.size(), e);
    }
    out.position(out.position() + rest.position());
  }

  private NumberReader open(ByteBuffer chunk, NumberKind kind, int numValues) {
    return AddedForm.required(encoding.open(chunk.asReadOnlyBuffer().order(chunk.order()), kind, numValues), "open");
  }

  /** Reads back what was written, because nobody could repair a segment that an encoding wrote wrongly. */
  private void check(NumberValues values, ByteBuffer written) {
    final NumberReader reader =
        open(written.slice(0, written.position()).order(written.order()), values.kind(), values.size());
    final long[] read = new long[values.size()];
    reader.get(0, read, 0, read.length);
    for (int i = 0; i < read.length; i++) {
      if (read[i] != values.bits(i)) {
        throw new IllegalStateException("it reads the bits 0x" + Long.toHexString(read[i]) + " at " + i
            + ", and wrote 0x" + Long.toHexString(values.bits(i)));
      }
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final NumberReader numbers;
    try {
      numbers = open(
          chunk.clear().slice(offset + 1, length - 1).order(chunk.order()),
          NumberValuesOfChunk.kind(reader.type()),
          reader.numValues()
      );
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
    final AddedNumbers shape = reader.shape(AddedNumbers.class, AddedNumbers::new);
    shape.read(name, numbers);
    reader.transformTo(shape);
  }
}
