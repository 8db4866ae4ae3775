// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.segment.TestSegments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;

/** Asks both segments of a case, and makes cases small in which the answers differ. */
final class Comparison implements AutoCloseable {
  private static final int MOST_SHOWN = 300;
  private static final int SHRINKING_TRIES = Integer.getInteger("shapeshift.shrinking", 3000);

  private final Answers answers = new Answers();
  private final UnaryOperator<List<Object>> ofOurs;
  private int refusals;

  Comparison() {
    this(UnaryOperator.identity());
  }

  /**
   * A comparison that is wrong, for the test of what is made of disagreements.
   *
   * @param ofOurs what it takes our answer for
   */
  Comparison(UnaryOperator<List<Object>> ofOurs) {
    this.ofOurs = ofOurs;
  }

  /**
   * What tells our segment's answer from that of Druid's; null for nothing, and where Druid has no answer. It refuses a
   * filter that does not go with the type of a column, and fails on some that do, once it asks it of a row: whether it
   * does depends on the rows that indexes of other filters leave. So it may fail on ours alone, if these leave others.
   */
  @Nullable
  Difference difference(SegmentPair segments, Case.Question question) {
    final List<Object> expected = answers.of(segments.stock(), question);
    final List<Object> actual = ofOurs.apply(answers.of(segments.ours(), question));
    refusals += !Answers.isException(expected) && isRefused(actual) ? 1 : 0;
    return Answers.isException(expected) || expected.equals(actual) || isRefused(actual)
           ? null
           : new Difference(expected, actual);
  }

  /** Whether Druid's own code fails, and not ours. */
  private static boolean isRefused(List<Object> answer) {
    return Answers.isException(answer) && ((Answers.Failure) answer.get(0)).isStock();
  }

  /** How many answers Druid's code had for its own segment and not for ours. */
  int refusals() {
    return refusals;
  }

  /** As {@link #difference(SegmentPair, Case.Question)}, of segments that are written for it. */
  @Nullable
  private Difference difference(Case one) {
    try (SegmentPair segments = SegmentPair.of(one)) {
      @Nullable final String written = segments.difference();
      if (written != null) {
        return new Difference(List.of(), List.of(written));
      }
      return segments.areWritten() ? difference(segments, one.question()) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Nullable
  Difference difference(JsonNode json) {
    try {
      return difference(Case.fromJson(json));
    } catch (JsonProcessingException | RuntimeException e) {
      // What cannot be read, or not be stored as it says, is no case.
      return null;
    }
  }

  /** What Druid's segment answers. */
  List<Object> expected(SegmentPair segments, Case.Question question) {
    return answers.of(segments.stock(), question);
  }

  /** The smallest case that disagrees in the same manner: by what is answered, or by who has no answer. */
  JsonNode shrink(JsonNode json) {
    @Nullable final Difference first = difference(json);
    if (first == null) {
      return json;
    }
    return Shrinker.shrink(
        json,
        smaller -> {
          @Nullable final Difference difference = difference(smaller);
          return difference != null && difference.kind().equals(first.kind());
        },
        SHRINKING_TRIES
    );
  }

  /** A case and how its answers differ, to be read, and to be pasted into a file among the resources of the tests. */
  String tell(JsonNode json) {
    try {
      return difference(json) + "\n" + TestSegments.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    answers.close();
  }

  /** Two answers that are not the same. */
  record Difference(List<Object> expected, List<Object> actual) {
    private String kind() {
      return Answers.isException(actual) ? actual.toString() : "answer";
    }

    @Override
    public String toString() {
      int first = 0;
      while (first < Math.min(expected.size(), actual.size())
          && Objects.equals(expected.get(first), actual.get(first))) {
        first++;
      }
      return "Druid answers " + shown(expected, first) + ", and of ours " + shown(actual, first);
    }

    private static String shown(List<Object> answer, int from) {
      final String text = answer.size() + " items, from the " + from + "th on "
          + answer.subList(from, Math.min(answer.size(), from + 5));
      return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
    }
  }
}
