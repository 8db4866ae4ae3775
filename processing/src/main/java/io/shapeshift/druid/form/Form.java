// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;

/**
 * A way to store a chunk of values. A form is one class: its Javadoc specifies the bytes, and encoding
 * and decoding stand side by side. Forms have no state and serve any number of threads.
 *
 * @param <C> the chunks it stores
 * @param <R> the reader of such chunks
 * @see io.shapeshift.druid.form.ints.IntForms the registry of forms of ints
 */
public interface Form<C extends Chunk, R> extends FormDecoder<R> {
  /** How much slower this form is decoded than forms that are read where they lie at full speed. */
  DecodeCost cost();

  /**
   * Estimates the size of the chunk in this form.
   *
   * @param chunk holds at least one value
   */
  Estimate estimate(C chunk);

  /**
   * How long it takes to scan the chunk in this form: nanoseconds per value, in vectors of 512, on the machine of
   * docs/measurements.md; only ratios to other forms matter. By default that of a form at the full speed of ints.
   *
   * @param chunk one that {@link #estimate} does not answer with {@link Estimate#SKIP}
   */
  default double scanNanos(C chunk) {
    return CostModel.Reads.SCAN_NANOS;
  }

  /**
   * How much longer it takes to read one in a hundred of the chunk's values in this form than in one that lies there to
   * be read: nanoseconds per value of the chunk, as for {@link #scanNanos}. By default 0.
   *
   * @param chunk one that {@link #estimate} does not answer with {@link Estimate#SKIP}
   */
  default double sparseNanos(C chunk) {
    return 0;
  }

  /**
   * Appends the chunk, its form's id first, at the buffer's position.
   *
   * @param chunk one that {@link #estimate} does not answer with {@link Estimate#SKIP}; not changed
   * @param out   has room for {@link Limits#MAX_CHUNK_BYTES} and the byte order of the column
   */
  void encode(C chunk, ByteBuffer out);
}
