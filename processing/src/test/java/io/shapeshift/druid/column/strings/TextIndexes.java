// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;

/** Dictionaries with text indexes. */
public final class TextIndexes {
  private TextIndexes() {}

  /**
   * Encodes texts with an index, whatever its size, if they have any bytes.
   *
   * @param groupBytes least bytes of the texts in a group
   */
  public static byte[] encode(List<String> texts, OptimizationTarget target, int groupBytes) {
    return encode(texts, target, new TextIndexWriter.Limits(1, groupBytes, Integer.MAX_VALUE, 0));
  }

  /** Encodes texts with an index, or without if limits is null. */
  static byte[] encode(List<String> texts, OptimizationTarget target, @Nullable TextIndexWriter.Limits limits) {
    try {
      final StringDictionarySerializer writer =
          new StringDictionarySerializer("c", new OnHeapMemorySegmentWriteOutMedium(), target, limits != null);
      if (limits != null) {
        writer.limitTextIndex(limits);
      }
      writer.open();
      for (String text : texts) {
        writer.write(text);
      }
      final ByteArrayOutputStream out = new ByteArrayOutputStream();
      final long size = writer.getSerializedSize();
      writer.writeTo(Channels.newChannel(out), null);
      assertEquals(size, out.size());
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static StringDictionary read(byte[] bytes) {
    return StringDictionary.read("c", ByteBuffer.wrap(bytes));
  }
}
