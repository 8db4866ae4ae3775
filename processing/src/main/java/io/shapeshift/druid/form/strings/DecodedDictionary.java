// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.ZstdDictDecompress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Zstd dictionary decoded to native memory, with a reference count. Its {@link Cache} is one user, each decompression
 * another; the last one to leave frees the memory. Thread-safe.
 */
final class DecodedDictionary {
  /** Native memory of a decoded dictionary in bytes, apart from its content. */
  private static final int TABLE_BYTES = 30_000;
  private static final AtomicLong NATIVE_BYTES = new AtomicLong();

  private final ZstdDictDecompress dictionary;
  private final int bytes;
  /** At first the cache, and the caller for whom it was decoded. */
  private final AtomicInteger users = new AtomicInteger(2);
  /** Whether it was used again since it was decoded, or since the cache passed it over. */
  private volatile boolean isRecent;

  private DecodedDictionary(byte[] content) {
    this.dictionary = new ZstdDictDecompress(content);
    this.bytes = TABLE_BYTES + content.length;
    NATIVE_BYTES.addAndGet(bytes);
  }

  /** Returns the native memory of all decoded dictionaries of the process, in bytes. */
  static long nativeBytes() {
    return NATIVE_BYTES.get();
  }

  /** Adds a user, who must {@link #release} the dictionary; returns false if its memory is freed already. */
  boolean acquire() {
    if (users.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
      return false;
    }
    if (!isRecent) {
      isRecent = true;
    }
    return true;
  }

  /** Removes a user. */
  void release() {
    if (users.decrementAndGet() == 0) {
      dictionary.close();
      NATIVE_BYTES.addAndGet(-bytes);
    }
  }

  /** Returns the dictionary, for a user. */
  ZstdDictDecompress get() {
    return dictionary;
  }

  /**
   * Dictionaries used recently, up to a number of native bytes. A dictionary that exceeds it evicts the oldest ones;
   * those that were used again are passed over once (second chance). Garbage collection plays no part.
   */
  static final class Cache {
    private final long maxBytes;
    private final Queue<DecodedDictionary> kept = new ArrayDeque<>();
    private long keptBytes;

    Cache(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    /** Decodes a dictionary; the caller is its user. */
    DecodedDictionary decode(byte[] content) {
      final DecodedDictionary added = new DecodedDictionary(content);
      synchronized (this) {
        while (keptBytes + added.bytes > maxBytes && !kept.isEmpty()) {
          final DecodedDictionary oldest = kept.remove();
          if (oldest.isRecent) {
            oldest.isRecent = false;
            kept.add(oldest);
          } else {
            keptBytes -= oldest.bytes;
            oldest.release();
          }
        }
        kept.add(added);
        keptBytes += added.bytes;
      }
      return added;
    }
  }
}
