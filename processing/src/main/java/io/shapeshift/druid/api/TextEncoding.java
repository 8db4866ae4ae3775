// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Encoding of the texts of a dictionary: of the distinct strings of a column. It divides the texts into buckets of
 * neighbours, and stores a model beside them: what it learns from all texts, such as a table of frequent substrings.
 * All bytes are little-endian, in segments of either byte order. Its {@link #cost} is relative to texts that are stored
 * without the prefix which they share with the first text of their bucket.
 *
 * <p>Dictionaries of less than 512 bytes, and those with a text of more than 4 MB, keep the extension's own codings.
 */
public interface TextEncoding extends Encoding {
  /**
   * Learns from the texts of a dictionary. The same texts must give the same model, on every machine and in every
   * process. Selection estimates the size of the dictionary by encoding a sample of buckets with the model.
   *
   * @return null if this encoding cannot store the texts, or should not
   */
  @Nullable
  TextModel learn(TextValues texts);

  /**
   * Reads a model. Check all of it here: a model of a damaged segment may be any bytes.
   *
   * @param model what {@link TextModel#toBytes} returned, from index 0 to the limit; little-endian, read-only. The
   *              returned model may keep the buffer. It has as many {@link TextModel#textsPerBucket} as the one that
   *              was learnt; others are reported as damage
   * @throws DamagedChunkException if these bytes are no model of this encoding
   */
  TextModel read(ByteBuffer model);
}
