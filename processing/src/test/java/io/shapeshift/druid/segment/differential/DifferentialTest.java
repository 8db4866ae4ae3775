// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.Druids;
import org.apache.druid.segment.QueryableIndex;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random tables, stored in random ways by Druid without the extension and by ours, answer random questions alike. Each
 * disagreement is made small and printed as JSON. {@code -Dshapeshift.differential} says how many questions are asked.
 */
@Tag("slow")
class DifferentialTest {
  private static final int QUESTIONS = Integer.getInteger("shapeshift.differential", Tier.pick(360, 100_000));
  private static final int QUESTIONS_PER_TABLE =
      Integer.getInteger("shapeshift.differentialPerTable", Tier.pick(30, 60));
  /** The first table, to repeat one. */
  private static final int FIRST = Integer.getInteger("shapeshift.differentialFrom", 0);
  private static final int MOST_FAILURES = 3;
  private static final int QUESTIONS_PER_REFUSAL = 300;
  private static final Case.Question NOTHING = new Case.Question(
      Case.Way.ROWS,
      null,
      Druids.newScanQueryBuilder().dataSource("any").eternityInterval().columns("__time").build()
  );

  @BeforeAll
  static void registerTypes() {
    BuiltInTypesModule.registerHandlersAndSerde();
    ExpressionProcessing.initializeForTests();
  }

  @Test
  void sameAnswers() throws IOException {
    final long seed = RandomData.shared(19).nextLong();
    final List<String> failures = new ArrayList<>();
    final Map<String, Integer> asked = new TreeMap<>();
    int questions = 0;
    int telling = 0;
    int refused = 0;
    int refusals = 0;
    int table = FIRST;
    try (Comparison comparison = new Comparison()) {
      for (; questions < QUESTIONS && failures.size() < MOST_FAILURES; table++) {
        final RandomData random = new RandomData(seed + table);
        final Case stored = RandomCases.table(random, NOTHING);
        try (SegmentPair segments = SegmentPair.of(stored)) {
          if (segments.difference() != null) {
            failures.add(failure(comparison, table, stored));
          }
          for (int i = 0; i < QUESTIONS_PER_TABLE && segments.areWritten(); i++) {
            final Case.Question question = question(random, stored, segments.stock());
            questions++;
            asked.merge(kind(question), 1, Integer::sum);
            final List<Object> expected = comparison.expected(segments, question);
            refused += Answers.isException(expected) ? 1 : 0;
            telling += Answers.isException(expected) || expected.isEmpty() ? 0 : 1;
            if (comparison.difference(segments, question) != null) {
              failures.add(failure(comparison, table, stored.asking(question)));
              break;
            }
          }
        }
        refusals = comparison.refusals();
      }
    }
    System.out.println(questions + " questions to " + (table - FIRST) + " tables, " + telling
        + " with rows in the answer, " + refused + " that Druid refuses, " + refusals + " of ours alone: " + asked);
    assertEquals("", String.join("\n", failures));
    assertTrue(refusals <= 1 + questions / QUESTIONS_PER_REFUSAL, "Druid refuses " + refusals + " of ours alone");
    assertTrue(telling > questions / 3, "few questions have an answer");
  }

  /** Cases that were told once, in the files {@code differential/*.json} of the resources. */
  @Test
  void keptCases() throws IOException {
    try (Comparison comparison = new Comparison();
         Stream<Path> files = Files.list(Path.of("src", "test", "resources", "differential"))) {
      final List<Path> all = files.sorted().toList();
      assertTrue(!all.isEmpty(), "no cases");
      for (Path file : all) {
        final JsonNode json = TestSegments.JSON.readTree(file.toFile());
        try (SegmentPair segments = SegmentPair.of(Case.fromJson(json))) {
          assertTrue(segments.areWritten(), () -> file + ": " + segments);
          final List<Object> expected = comparison.expected(segments, Case.fromJson(json).question());
          assertTrue(!expected.isEmpty() && !Answers.isException(expected), () -> file + ": " + expected);
        }
        assertNull(comparison.difference(json), () -> file + ": " + comparison.tell(json));
      }
    }
  }

  /** As JSON tells it. */
  private static Case.Question question(RandomData random, Case stored, QueryableIndex index) throws IOException {
    final JsonNode json = stored.asking(new RandomQuestions(random, stored, index).next()).toJson();
    return Case.fromJson(json).question();
  }

  private static String kind(Case.Question question) {
    return question.way() == Case.Way.ENGINE ? question.query().getType() : question.way().name();
  }

  private static String failure(Comparison comparison, int table, Case one) {
    final JsonNode json = one.toJson();
    final String message = "Table " + table + ", again with -Dshapeshift.differentialFrom=" + table
        + " -Dshapeshift.seed=" + System.getProperty("shapeshift.seed") + ": ";
    return message + (comparison.difference(json) == null
        ? "not as it is told by JSON: " + TestSegments.JSON.valueToTree(one.question().query())
        : comparison.tell(comparison.shrink(json)));
  }
}
