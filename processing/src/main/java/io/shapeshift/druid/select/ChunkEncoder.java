// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/** Encoder of chunks in their chosen forms, into pooled buffers. */
public final class ChunkEncoder {
  private static final Pool<ByteBuffer> BUFFERS = Pools.ofProcess().heap(
      "selection", Limits.MAX_CHUNK_BYTES, () -> ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES));

  /** Size of a chunk that cannot be stored in a form. */
  static final int NO_ROOM = Integer.MAX_VALUE;

  private ChunkEncoder() {}

  /** Receiver of encoded chunks. */
  @FunctionalInterface
  public interface Sink<X extends Exception> {
    /**
     * Receives one encoded chunk.
     *
     * @param bytes encoded chunk, from position to limit; the sink must not keep the buffer
     */
    void accept(ByteBuffer bytes) throws X;
  }

  /**
   * Measures the size in bytes of a chunk in a form by encoding it.
   *
   * @param order byte order of the column
   * @return {@link #NO_ROOM} if an encoding of another jar, which cannot know it before, takes more than a chunk may
   */
  static <C extends Chunk> int size(Form<C, ?> form, C chunk, ByteOrder order) {
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      final ByteBuffer buffer = holder.get().clear().order(order);
      form.encode(chunk, buffer);
      return buffer.position();
    } catch (EncodingException e) {
      if (e.getCause() instanceof BufferOverflowException) {
        return NO_ROOM;
      }
      throw e;
    }
  }

  /**
   * Encodes a chunk in its chosen form and passes it to the sink.
   *
   * @param order byte order of the column
   * @throws NoFormException       if no form can store the chunk
   * @throws IllegalStateException if the form's size estimate was wrong
   */
  static <C extends Chunk, X extends Exception> void encode(Choice<C> choice, C chunk, ByteOrder order, Sink<X> sink)
      throws X {
    encode(choice.form(), choice.bytes(), chunk, order, sink);
  }

  /** Encodes a chunk with a codec and passes it to the sink. */
  static <C extends Chunk, X extends Exception> void encode(Form<C, ?> codec, C chunk, ByteOrder order, Sink<X> sink)
      throws X {
    encode(codec, 0, chunk, order, sink);
  }

  private static <C extends Chunk, X extends Exception> void encode(
      @Nullable Form<C, ?> form,
      int expected,
      C chunk,
      ByteOrder order,
      Sink<X> sink
  ) throws X {
    if (form == null) {
      throw new NoFormException("No form can store a chunk of " + chunk.size() + " values");
    }
    try (ResourceHolder<ByteBuffer> holder = BUFFERS.take()) {
      // Only a chunk of posting lists may exceed the limit. A list of that size is encoded in a chunk of its own.
      final ByteBuffer buffer = expected > Limits.MAX_CHUNK_BYTES
                                ? ByteBuffer.allocate(expected).order(order)
                                : holder.get().clear().order(order);
      form.encode(chunk, buffer);
      buffer.flip();
      if (!(form instanceof CodecForm<?, ?>) && buffer.remaining() != expected) {
        throw new IllegalStateException(form.name() + " took " + buffer.remaining() + " bytes, not the "
            + expected + " that it said");
      }
      sink.accept(buffer);
    }
  }
}
