// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.BucketReader;
import io.shapeshift.druid.form.strings.BucketSearch;
import io.shapeshift.druid.form.strings.TextPart;
import io.shapeshift.druid.form.strings.TextRun;

/** Search through one run of texts after the other. Not thread-safe. */
final class RunSearch implements BucketSearch {
  /** Runs that are passed on as a whole after one of which most texts were to be tested. */
  private static final int UNSEARCHED_RUNS = 15;

  private final TextRun texts = new TextRun();
  private final TextPart part;
  private final boolean isExact;
  private final StringDictionaryReader.FoundText found;
  private final BucketReader reader;
  private final BucketSearch search;
  /** Id of the first text that the run may have. */
  private int first;
  /** Texts of the run that are to be tested. */
  private int numTested;
  /** Runs that are still passed on as a whole. */
  private int unsearched;

  /**
   * Creates a search.
   *
   * @param isExact whether only the ids of the texts that contain the part are wanted
   * @param reader  reads buckets as a whole
   * @param search  reads only the texts of a bucket that may contain the part
   */
  RunSearch(
      TextPart part,
      boolean isExact,
      StringDictionaryReader.FoundText found,
      BucketReader reader,
      BucketSearch search
  ) {
    this.part = part;
    this.isExact = isExact;
    this.found = found;
    this.reader = reader;
    this.search = search;
  }

  /** Returns the run. */
  TextRun texts() {
    return texts;
  }

  /** Starts at the text with an id. */
  void start(int id) {
    texts.setNextId(id);
    first = id;
  }

  @Override
  public void find(int from, int to, int count, TextRun run) {
    if (unsearched > 0) {
      reader.readAll(from, to, count, run);
    } else {
      search.find(from, to, count, run);
    }
  }

  /** Passes on what is found in the run, and empties it. */
  void run() {
    if (unsearched > 0) {
      unsearched--;
      for (int index = 0; index < texts.count(); index++) {
        found.accept(texts.id(index), texts, index);
      }
    } else if (texts.count() > 0) {
      numTested = 0;
      part.find(texts, this::accept);
      unsearched = numTested <= (texts.nextId() - first) / 2 ? 0 : UNSEARCHED_RUNS;
    }
    first = texts.nextId();
    texts.clear();
  }

  private void accept(int index, boolean hasPart) {
    if (isExact && hasPart) {
      found.accept(texts.id(index), null, index);
    } else {
      numTested++;
      found.accept(texts.id(index), texts, index);
    }
  }
}
