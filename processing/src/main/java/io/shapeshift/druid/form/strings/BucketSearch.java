// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

/** Search for a {@link TextPart} in one bucket after the other. Not thread-safe. */
@FunctionalInterface
public interface BucketSearch {
  /**
   * Learns from a bucket which bytes are rare. Only some buckets are learned, all of them before the first search.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  default void learn(int from, int to, int count) {}

  /**
   * Adds the texts of a bucket that may contain the part to a run, and passes over the others. If the search is exact,
   * the part may stand for a text that contains it.
   *
   * @param from  position of the bucket's first byte
   * @param to    end of the bucket, exclusive; {@value FrontCodedBucket#SLACK} bytes after it may be touched
   * @param count number of texts in the bucket
   * @throws io.shapeshift.druid.form.MalformedChunkException if the bucket is damaged
   */
  void find(int from, int to, int count, TextRun run);
}
