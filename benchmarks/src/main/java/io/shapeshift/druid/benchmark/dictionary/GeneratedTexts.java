// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import java.util.List;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameters of the benchmarks that generate texts. */
// The scope is Thread for the reason in IndexBenchmark.
@State(Scope.Thread)
public class GeneratedTexts {
  /** Name of a {@link TextKind}. */
  @Param({"urls", "emails", "uuids", "user-agents", "titles", "hosts", "numbers", "sentences", "messages", "noise"})
  private String texts;

  /** Number of distinct texts. */
  @Param("100000")
  private int values;

  List<String> values() {
    return TextKind.parse(texts).texts(values, 1);
  }
}
