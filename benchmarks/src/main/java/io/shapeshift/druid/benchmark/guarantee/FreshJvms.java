// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.TurnOrder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures each encoding of a column in a JVM of its own, one after the other, in a new order for each column. */
final class FreshJvms implements Closeable {
  private final TemporaryDirectory directory = TemporaryDirectory.create("guarantee");
  /** Archive of the classes that the first JVM has loaded. With it, the other JVMs start in half the time. */
  private final Path classes = directory.path().resolve("classes.jsa");
  private final TurnOrder order = new TurnOrder();
  private final int rounds;

  FreshJvms(int rounds) {
    this.rounds = rounds;
  }

  /** Nanoseconds per row that is read, by name of the read, by name of the encoding. */
  Map<String, Map<String, Double>> measure(Map<String, EncodedRows> encodings, RowValues values, List<String> reads) {
    final Map<String, Map<String, Double>> nanos = new LinkedHashMap<>();
    reads.forEach(read -> nanos.put(read, new LinkedHashMap<>()));
    for (String encoding : order.next(encodings.keySet())) {
      for (String line : run(encoding, encodings.get(encoding), values, reads)) {
        final String[] parts = line.split(" ", 2);
        nanos.get(parts[0]).put(encoding, Double.parseDouble(parts[1]));
      }
    }
    return nanos;
  }

  private List<String> run(String encoding, EncodedRows rows, RowValues values, List<String> reads) {
    final Path file = directory.path().resolve("rows");
    final List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(Jmh.jvmOptions());
    final String classPath = System.getProperty("java.class.path");
    // The JVM cannot archive classes of directories.
    if (Files.isRegularFile(Path.of(classPath))) {
      // The JVM's messages about the archive would be mixed with the times.
      line.add("-Xlog:disable");
      line.add((Files.exists(classes) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + classes);
    }
    line.addAll(List.of(
        "-cp", classPath,
        FreshJvm.class.getName(),
        encoding,
        FreshJvm.kind(values),
        file.toString(),
        String.valueOf(values.rows()),
        String.valueOf(rounds)
    ));
    line.addAll(reads);
    try {
      try (FileChannel channel = FileChannel.open(
          file,
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING
      )) {
        channel.write(rows.bytes());
      }
      final Process process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try {
        final String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
          throw new ToolException("another JVM", "it has failed to read " + encoding, "It has said why");
        }
        return out.lines().toList();
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      throw new ToolException("another JVM", "it cannot be run: " + e, "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    directory.close();
  }
}
