// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.ToolProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code inspect} as a process. */
class InspectIT {
  @TempDir
  private Path folder;

  @Test
  void aColumnIsShownDownToItsChunks() {
    final Path segment = TestSegments.persist(
        EveryColumn.inMemory(1, 20_000),
        folder.resolve("segment").toFile(),
        TestSegments.SHAPE_SHIFT,
        Version.V9
    ).toPath();
    final String text = ToolProcess.run("inspect", segment.toString(), "--columns", "constant").fine();
    final List<String> lines = text.lines().toList();
    assertTrue(lines.get(0).contains(": version 9, 20,000 rows, "), text);
    assertTrue(lines.get(2).startsWith("constant: STRING as shapeshift, cardinality 1, "), text);
    assertEquals(
        List.of(
            "  ids: version 1, logValuesPerBlock 12, numForms 1, numValues 20000, numChunks 1",
            "    form  chunks  values  bytes  bits/value  share of chunks",
            "    zero       1  20,000      1       0.000  ##############################",
            "    chunk  offset  first  values  form  of  bytes  bits/value",
            "        0      26      0  20,000  zero          1       0.000",
            "  dictionary: size 1",
            "    form  chunks  values  bytes  bits/value  share of chunks",
            "    utf8       1       1     19     152.000  ##############################",
            "    chunk  offset  first  values  form  of  bytes  bits/value",
            "        0       0      0       1  utf8         19     152.000",
            "  index: size 1",
            "    form     chunks  values  bytes  bits/value  share of chunks",
            "    roaring       1       1     33     264.000  ##############################",
            "    chunk  offset  first  values  form     of  bytes  bits/value",
            "        0       0      0       1  roaring         33     264.000"
        ),
        lines.subList(3, lines.size())
    );
  }
}
