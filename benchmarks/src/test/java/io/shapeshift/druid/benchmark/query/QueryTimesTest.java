// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.query.Measured.Asked;
import io.shapeshift.druid.benchmark.query.Measured.Profile;
import io.shapeshift.druid.benchmark.query.Measured.Sampled;
import io.shapeshift.druid.benchmark.query.Measured.Source;
import io.shapeshift.druid.benchmark.query.Measured.Time;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTimesTest {
  private static Measured jvm(List<Profile> profile, long[]... rounds) {
    final List<Time> times = new ArrayList<>();
    for (int round = 0; round < rounds.length; round++) {
      // The order of sources within a round varies.
      final List<Time> both = new ArrayList<>(List.of(
          new Time(round, "q", "old", rounds[round][0]), new Time(round, "q", "new", rounds[round][1])
      ));
      times.add(both.remove(round % 2));
      times.addAll(both);
    }
    return new Measured(
        List.of(new Source("old", 2, 100, 1000), new Source("new", 2, 100, 900)),
        List.of(new Asked("q", "scan", 10)),
        times,
        profile
    );
  }

  @Test
  void ratiosAreOfTheSameRound() {
    // The machine is half as fast in the second JVM, which does not change the ratios.
    final QueryTimes times = new QueryTimes(List.of(
        jvm(List.of(), new long[]{400, 100}, new long[]{300, 100}),
        jvm(List.of(), new long[]{400, 200}, new long[]{400, 400}, new long[]{1000, 200})
    ));
    assertEquals(
        """
        query,type,encoding,segments,rows,selectedRows,sizeInBytes,jvms,rounds,nanosMedian,nanosMin,nanosMax,\
        speedup,speedupLow,speedupHigh
        q,scan,old,2,100,10,1000,2,5,400.0,300.0,1000.0,,,
        q,scan,new,2,100,10,900,2,5,200.0,100.0,400.0,3.0,2.0,4.0
        """,
        times.summary().toCsv()
    );
    assertEquals(
        """
        jvm,round,query,encoding,nanos
        0,0,q,old,400
        0,0,q,new,100
        0,1,q,new,100
        0,1,q,old,300
        """,
        times.rounds().toCsv().lines().limit(5).map(line -> line + "\n").reduce("", String::concat)
    );
    final String text = times.text().toText();
    assertTrue(text.matches("(?s).*3[.]00 +2[.]00 to 4[.]00.*geometric mean +3[.]00.*"), text);
    assertFalse(times.hasProfile());
  }

  @Test
  void aProfileAddsUpOverJvms() {
    final Sampled ids = new Sampled(ProfilePart.IDS, "A.get", 1);
    final Sampled rows = new Sampled(ProfilePart.ROWS, "B.next", 2);
    final QueryTimes times = new QueryTimes(List.of(
        jvm(List.of(new Profile("q", "new", 6, List.of(ids, rows))), new long[]{400, 100}),
        jvm(List.of(new Profile("q", "old", 2, List.of()), new Profile("q", "new", 2, List.of(ids))),
            new long[]{400, 100})
    ));
    assertTrue(times.hasProfile());
    assertEquals(
        """
        query,encoding,part,method,samples,share,nanos
        q,new,ids,A.get,2,0.5,50.0
        q,new,rows,B.next,2,0.5,50.0
        """,
        times.profile().toCsv()
    );
    final List<String> text = times.profileText().toText().lines().toList();
    assertEquals(List.of("q", "old", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0"), words(text.get(1)));
    // The samples cover half of the threads' busy time.
    assertEquals(List.of("q", "new", "50", "0", "0", "0", "0", "50", "0", "0", "0", "4", "50"), words(text.get(2)));
  }

  private static List<String> words(String line) {
    return List.of(line.split(" +"));
  }
}
