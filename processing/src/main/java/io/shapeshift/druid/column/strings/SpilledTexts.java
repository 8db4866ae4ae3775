// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.api.TextValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Consumer;

/** View of spilled texts for encodings of other jars. */
final class SpilledTexts implements TextValues {
  private final TextSpill texts;

  SpilledTexts(TextSpill texts) {
    this.texts = texts;
  }

  @Override
  public int size() {
    return texts.size();
  }

  @Override
  public long numBytes() {
    return texts.numBytes();
  }

  @Override
  public int longest() {
    return texts.longest();
  }

  @Override
  public void forEach(Consumer<byte[]> consumer) {
    groups(1, 1, group -> consumer.accept(group[0]));
  }

  @Override
  public void sample(int groupSize, int numBytes, Consumer<byte[][]> consumer) {
    groups(groupSize, Math.max(1, texts.numBytes() / numBytes), consumer);
  }

  /** Passes on each group whose index is a multiple of {@code every}. */
  private void groups(int groupSize, long every, Consumer<byte[][]> consumer) {
    try (TextSpill.Buckets buckets = texts.buckets(groupSize)) {
      for (long group = 0; buckets.next(); group++) {
        if (group % every == 0) {
          final byte[][] copies = new byte[buckets.count()][];
          for (int i = 0; i < copies.length; i++) {
            copies[i] = Arrays.copyOf(buckets.texts()[i], buckets.lengths()[i]);
          }
          consumer.accept(copies);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
