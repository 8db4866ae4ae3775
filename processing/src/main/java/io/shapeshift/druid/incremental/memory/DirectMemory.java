// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.ByteBufferUtils;

/**
 * Direct buffers of one index, counted, and freed together when the index is closed. For one thread. An index that is
 * never closed leaks nothing: the JVM frees unreachable buffers.
 */
public class DirectMemory {
  /** Memory of all indexes in the process that had a buffer. Unreachable ones drop out. */
  private static final Set<DirectMemory> ALL = Collections.synchronizedSet(
      Collections.newSetFromMap(new WeakHashMap<>()));

  private final Set<ByteBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
  /** Atomic, because other threads read it. */
  private final AtomicLong bytes = new AtomicLong();

  /** Total size in bytes of the buffers that are not freed. */
  public final long bytes() {
    return bytes.get();
  }

  /** Total size in bytes of the buffers of all indexes. */
  public static long bytesOfAll() {
    synchronized (ALL) {
      return ALL.stream().mapToLong(DirectMemory::bytes).sum();
    }
  }

  /** Number of indexes that have buffers. */
  public static long inUse() {
    synchronized (ALL) {
      return ALL.stream().filter(memory -> memory.bytes() > 0).count();
    }
  }

  /**
   * Allocates a buffer of zeros, in the byte order of the machine.
   *
   * @throws DruidException if the JVM has no more direct memory; nothing has then changed
   */
  public final ByteBuffer allocate(int size) {
    final ByteBuffer buffer;
    try {
      buffer = newBuffer(size);
    } catch (OutOfMemoryError e) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build(
              e,
              "No direct memory for [%,d] bytes more of rows, of which this index has [%,d] bytes, and all [%,d]"
                  + " indexes of this JVM, among them those that are persisted or wait for it, have [%,d] bytes. Raise"
                  + " -XX:MaxDirectMemorySize, or lower maxBytesInMemory or maxPendingPersists in the tuningConfig: a"
                  + " task has up to maxBytesInMemory * (1 + numPersistThreads + maxPendingPersists). The row was not"
                  + " added; those before it are there.",
              size,
              bytes(),
              inUse(),
              bytesOfAll()
          );
    }
    if (buffers.isEmpty()) {
      ALL.add(this);
    }
    buffers.add(buffer);
    bytes.addAndGet(size);
    return buffer;
  }

  /** Allocates a buffer. Tests override it. */
  protected ByteBuffer newBuffer(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  /** Frees a buffer at once. If the JVM denies that, the garbage collector frees it when it is unreachable. */
  private static void release(ByteBuffer buffer) {
    try {
      ByteBufferUtils.free(buffer);
    } catch (RuntimeException e) {
      if (!(e.getCause() instanceof UnsupportedOperationException)) {
        throw e;
      }
    }
  }

  /** Frees a buffer, which must not be read afterwards. */
  final void free(ByteBuffer buffer) {
    buffers.remove(buffer);
    bytes.addAndGet(-buffer.capacity());
    release(buffer);
  }

  /** Frees all buffers, which must not be read afterwards. */
  public final void freeAll() {
    buffers.forEach(DirectMemory::release);
    buffers.clear();
    bytes.set(0);
  }
}
