// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.ByteBufferUtils;

/**
 * The direct buffers of one index: all that it has off the heap, counted, and freed at once when it is closed. For one
 * thread. An index that is never closed loses nothing: the JVM frees a buffer that nobody refers to.
 */
class DirectMemory {
  private final Set<ByteBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  /** Bytes of all buffers that are not freed. */
  final long bytes() {
    return bytes;
  }

  /**
   * A buffer of zeros, in the byte order of the machine.
   *
   * @throws DruidException if the JVM has no more direct memory; nothing has changed then
   */
  final ByteBuffer allocate(int size) {
    ByteBuffer buffer;
    try {
      buffer = newBuffer(size);
    } catch (OutOfMemoryError e) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build(
              e,
              "No direct memory for [%,d] bytes more of rows, of which [%,d] bytes are in memory. Raise"
                  + " -XX:MaxDirectMemorySize, or lower maxBytesInMemory in the tuningConfig. The row was not added;"
                  + " those before it are there.",
              size,
              bytes
          );
    }
    buffers.add(buffer);
    bytes += size;
    return buffer;
  }

  /** What allocates; a test overrides it. */
  ByteBuffer newBuffer(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  /** Frees a buffer, which nobody may read from then on. */
  final void free(ByteBuffer buffer) {
    buffers.remove(buffer);
    bytes -= buffer.capacity();
    ByteBufferUtils.free(buffer);
  }

  /** Frees all buffers, which nobody may read from then on. */
  final void freeAll() {
    buffers.forEach(ByteBufferUtils::free);
    buffers.clear();
    bytes = 0;
  }
}
