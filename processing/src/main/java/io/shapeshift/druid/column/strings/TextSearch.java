// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.BucketSearch;
import io.shapeshift.druid.form.strings.TextPart;
import io.shapeshift.druid.form.strings.TextRun;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;

/** Search for parts of the texts of a dictionary. Texts of neighbouring buckets are searched in runs. Runs once. */
final class TextSearch {
  /** Size of the runs that are searched: they stay in the first-level cache. */
  private static final int RUN_BYTES = 1 << 12;
  /** Bytes of the largest bucket whose texts are read at once. */
  private static final int MAX_RUN_BUCKET = 1 << 14;
  /** Most buckets from which a search learns, and buckets or groups that it reads for each: learning is quick. */
  private static final int LEARNED = 16;
  private static final int BUCKETS_PER_LEARNED = 32;
  /** Runs that are passed on as a whole after one of which most texts were to be tested. */
  private static final int UNSEARCHED_RUNS = 15;

  private final StringDictionary dictionary;
  private final StringDictionaryReader texts;
  private final BucketReader reader;
  /** Groups of the text index that are searched; null if all texts are searched. */
  @Nullable
  private final BitSet groups;
  private final TextPart part;
  private final boolean isExact;
  private final FoundText found;
  /** Reads only the texts of a bucket that may contain the part. */
  private final BucketSearch search;
  private final TextRun run = new TextRun();
  /** Id of the first text that the run may have. */
  private int first;
  /** Texts of the run that are to be tested. */
  private int numTested;
  /** Runs that are still passed on as a whole. */
  private int unsearched;

  /**
   * Creates a search.
   *
   * @param texts  locates buckets; not used otherwise while the search runs
   * @param reader reader of the buckets, which {@code texts} uses
   * @see StringDictionaryReader#find
   */
  TextSearch(
      StringDictionary dictionary,
      StringDictionaryReader texts,
      BucketReader reader,
      List<TextPart> parts,
      boolean isExact,
      FoundText found
  ) {
    this.dictionary = dictionary;
    this.texts = texts;
    this.reader = reader;
    this.isExact = isExact;
    this.found = found;
    if (dictionary.textIndex() == null) {
      this.groups = null;
      this.part = Collections.min(parts, TextPart.LONGEST_FIRST);
    } else {
      final TextIndexReader trigrams = dictionary.textIndex().reader();
      this.groups = trigrams.find(parts);
      this.part = trigrams.rarest(parts);
    }
    this.search = reader.search(part, isExact);
  }

  void run() {
    learn(groups == null ? dictionary.numBuckets() : groups.cardinality());
    if (groups == null) {
      search(0, dictionary.numBuckets());
      return;
    }
    final TextIndex index = dictionary.textIndex();
    // A group may be a part of a bucket, of which all texts are searched.
    int end = 0;
    for (int group = groups.nextSetBit(0); group >= 0; ) {
      final int behind = groups.nextClearBit(group);
      final int start = Math.max(end, index.firstText(group) >>> dictionary.logSize());
      end = ((index.firstText(behind) - 1) >>> dictionary.logSize()) + 1;
      search(start, end);
      group = groups.nextSetBit(behind);
    }
  }

  /** Lets the search learn from some buckets. */
  private void learn(int numRead) {
    final int numLearned = Math.min(LEARNED, (numRead + BUCKETS_PER_LEARNED - 1) / BUCKETS_PER_LEARNED);
    for (int i = 0; i < numLearned; i++) {
      final int bucket = (int) ((long) dictionary.numBuckets() * i / numLearned);
      texts.seek(bucket);
      if (isLarge()) {
        continue;
      }
      try {
        search.learn(texts.from(), texts.to(), texts.count());
      } catch (RuntimeException e) {
        throw dictionary.damaged(bucket, texts.from(), e);
      }
    }
  }

  /** Returns whether the texts of the bucket are read one by one. */
  private boolean isLarge() {
    return texts.to() - texts.from() > MAX_RUN_BUCKET;
  }

  /** Searches the texts of the buckets from {@code start} to {@code end}, exclusive. */
  private void search(int start, int end) {
    first = texts.id(start << dictionary.logSize());
    run.setNextId(first);
    for (int bucket = start; bucket < end; bucket++) {
      texts.seek(bucket);
      if (isLarge()) {
        // Texts of a bucket may share a long prefix, and take far more bytes than the bucket.
        for (int index = 0; index < texts.count(); index++) {
          passOn();
          final int length = texts.read(bucket, index);
          // Reading may replace the array.
          run.add(reader.text(), length);
        }
        passOn();
      } else {
        find(bucket);
        if (run.size() >= RUN_BYTES) {
          passOn();
        }
      }
    }
    passOn();
  }

  /** Adds the texts of a bucket that may contain the part to the run. */
  private void find(int bucket) {
    try {
      if (unsearched > 0) {
        reader.readAll(texts.from(), texts.to(), texts.count(), run);
      } else {
        search.find(texts.from(), texts.to(), texts.count(), run);
      }
    } catch (RuntimeException e) {
      throw dictionary.damaged(bucket, texts.from(), e);
    }
  }

  /** Passes on what is found in the run, and empties it. */
  private void passOn() {
    if (unsearched > 0) {
      unsearched--;
      for (int index = 0; index < run.count(); index++) {
        found.accept(run.id(index), run, index);
      }
    } else if (run.count() > 0) {
      numTested = 0;
      part.find(run, this::accept);
      unsearched = numTested <= (run.nextId() - first) / 2 ? 0 : UNSEARCHED_RUNS;
    }
    first = run.nextId();
    run.clear();
  }

  private void accept(int index, boolean hasPart) {
    if (isExact && hasPart) {
      found.accept(run.id(index), null, index);
    } else {
      numTested++;
      found.accept(run.id(index), run, index);
    }
  }
}
