// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.List;
import javax.annotation.Nullable;

/**
 * What {@code run.json} tells of a run, as far as a comparison needs it.
 *
 * @param commit  that was measured; null outside of a checkout
 * @param dirty   whether sources were changed after it
 * @param machine that it ran on
 * @param jvm     that it ran on
 */
record RunInfo(@Nullable String commit, boolean dirty, Machine machine, Jvm jvm) {
  /**
   * A machine.
   *
   * @param cpu         its name
   * @param cores       how many
   * @param memoryBytes how much
   * @param os          name, version and architecture
   */
  record Machine(String cpu, int cores, long memoryBytes, String os) {}

  /**
   * A Java virtual machine.
   *
   * @param name    its name
   * @param version its version
   * @param options what it was started with
   */
  record Jvm(String name, String version, List<String> options) {}

  /** Whether its sources can be had again. */
  boolean isOfCommit() {
    return commit != null && !dirty;
  }

  @Override
  public String toString() {
    return (commit == null ? "unknown commit" : "commit " + commit) + (dirty ? " with changes" : "")
        + "; " + machine.cpu() + ", " + machine.cores() + " cores, " + machine.os()
        + "; " + jvm.name() + " " + jvm.version() + (jvm.options().isEmpty() ? "" : " ")
        + String.join(" ", jvm.options());
  }
}
