// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Way to store a chunk of values. A form is one class: its Javadoc specifies the bytes, and it contains both the
 * encoder and the decoder. Forms are stateless and thread-safe.
 *
 * @param <C> type of the chunks
 * @param <R> type of the reader
 * @see io.shapeshift.druid.form.ints.IntForms the registry of forms of ints
 */
public interface Form<C extends Chunk, R> extends FormDecoder<R> {
  /** Returns the decoding cost, relative to forms that are read in place at full speed. */
  DecodeCost cost();

  /**
   * Estimates the size of the chunk in this form.
   *
   * @param chunk a chunk with at least one value
   */
  Estimate estimate(C chunk);

  /**
   * Returns the time of a scan of the chunk in this form: nanoseconds per value, in vectors of 512, on the machine of
   * docs/measurements.md. Only ratios between forms matter. The default is the time of ints at full speed.
   *
   * @param chunk a chunk whose {@link #estimate} is not {@link Estimate#SKIP}
   */
  default double scanNanos(C chunk) {
    return CostModel.Reads.SCAN_NANOS;
  }

  /**
   * Returns the additional time of reading 1 % of the chunk's values, compared with a form that is read in place:
   * nanoseconds per value of the chunk. The default is 0.
   *
   * @param chunk a chunk whose {@link #estimate} is not {@link Estimate#SKIP}
   */
  default double sparseNanos(C chunk) {
    return 0;
  }

  /** Returns the encoding of another jar in which this form stores values or its child's; null without one. */
  @Nullable
  default AddedForm added() {
    return null;
  }

  /**
   * Appends the chunk, starting with the form id, at the buffer's position.
   *
   * @param chunk a chunk whose {@link #estimate} is not {@link Estimate#SKIP}; not changed
   * @param out   a buffer in the byte order of the column, with room for {@link Limits#MAX_CHUNK_BYTES}
   */
  void encode(C chunk, ByteBuffer out);
}
