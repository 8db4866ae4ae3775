// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.added;

import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.IntReader;
import io.shapeshift.druid.api.IntUse;
import io.shapeshift.druid.api.IntValues;
import io.shapeshift.druid.api.SizeEstimate;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Encoding of ints of another jar as a form.
 *
 * <pre>
 * | bytes | content                                                          |
 * |-------|------------------------------------------------------------------|
 * | 1     | id, 64 to 127, to which the column's header gives a name         |
 * | rest  | as the encoding of this name has it, in the column's byte order  |
 * </pre>
 */
public final class AddedIntForm implements IntForm, AddedForm {
  private final byte id;
  private final IntEncoding encoding;
  private final String name;
  private final DecodeCost cost;
  private final Set<Use> uses;

  /** Creates the form of an encoding. */
  public AddedIntForm(byte id, IntEncoding encoding) {
    this.id = id;
    this.encoding = encoding;
    this.name = encoding.name();
    this.cost = AddedForm.cost(encoding);
    this.uses = EnumSet.noneOf(Use.class);
    for (IntUse use : AddedForm.described(encoding, encoding.uses(), "uses")) {
      uses.add(switch (use) {
        case IDS -> Use.IDS;
        case NUMBERS -> Use.NUMBERS;
        case CODES -> Use.CODES;
      });
    }
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
  public Set<Use> uses() {
    return EnumSet.copyOf(uses);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    if (chunk.size() > Limits.MAX_DIRECT_INTS) {
      return Estimate.SKIP;
    }
    final SizeEstimate estimate;
    try {
      estimate = AddedForm.required(encoding.estimate(IntValuesOfChunk.of(chunk)), "estimate");
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to estimate", chunk.size(), e);
    }
    return AddedForm.estimate(estimate, Limits.MAX_CHUNK_BYTES);
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    try {
      return encoding.scanNanos(IntValuesOfChunk.of(chunk));
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to judge", chunk.size(), e);
    }
  }

  @Override
  public double sparseNanos(IntChunk chunk) {
    try {
      return encoding.sparseNanos(IntValuesOfChunk.of(chunk));
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to judge", chunk.size(), e);
    }
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    out.put(id);
    final ByteBuffer rest = out.slice().order(out.order());
    try {
      final IntValues values = IntValuesOfChunk.of(chunk);
      encoding.encode(values, rest);
      check(values, rest);
    } catch (Throwable e) {
      throw AddedForm.notWritten(name, "to encode", chunk.size(), e);
    }
    out.position(out.position() + rest.position());
  }

  private IntReader open(ByteBuffer chunk, int numValues) {
    return AddedForm.required(encoding.open(chunk.asReadOnlyBuffer().order(chunk.order()), numValues), "open");
  }

  /** Reads back what was written, because nobody could repair a segment that an encoding wrote wrongly. */
  private void check(IntValues values, ByteBuffer written) {
    final IntReader reader = open(written.slice(0, written.position()).order(written.order()), values.size());
    final int[] read = new int[values.size()];
    reader.get(0, read, 0, read.length);
    for (int i = 0; i < read.length; i++) {
      if (read[i] != values.get(i)) {
        throw new IllegalStateException("it reads " + read[i] + " at " + i + ", and wrote " + values.get(i));
      }
    }
    if (reader.least() > values.min() || reader.greatest() < values.max()) {
      throw new IllegalStateException("it reads the bounds " + reader.least() + " and " + reader.greatest()
          + " of values from " + values.min() + " to " + values.max());
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    final IntReader ints;
    try {
      ints = open(chunk.clear().slice(offset + 1, length - 1).order(chunk.order()), reader.numValues());
    } catch (Throwable e) {
      throw AddedForm.notRead(name, e);
    }
    final AddedInts shape = reader.shape(AddedInts.class, AddedInts::new);
    shape.read(name, ints, reader.numValues());
    reader.transformTo(shape);
  }
}
