// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.endtoend;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Looks a hundred times a second at what the threads of the queries do, by Java Flight Recorder. Threads that wait are
 * not seen.
 */
final class Profiler implements AutoCloseable {
  /** What a JVM needs to tell methods apart that the compiler has put into one. */
  static final List<String> JVM_OPTIONS = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

  private static final Duration PERIOD = Duration.ofMillis(10);
  /** In Java, and in libraries that are not, such as that of Zstandard. */
  private static final List<String> EVENTS = List.of("jdk.ExecutionSample", "jdk.NativeMethodSample");
  /** Druid calls its processing threads so, also while they are at a query. */
  private static final String PROCESSING = "processing";

  private final Recording recording = new Recording();
  private final String caller = Thread.currentThread().getName();
  private final List<Span> spans = new ArrayList<>();

  private record Span(Instant from, Instant to, String query, String encoding) {}

  private record Seen(String query, String encoding, ProfilePart part, String method) {}

  /** Starts; queries are asked by the thread that calls this. */
  Profiler() {
    EVENTS.forEach(event -> recording.enable(event).withPeriod(PERIOD).withStackTrace());
    recording.start();
  }

  /** Runs something that answers a query, over and over. */
  void run(String query, String encoding, double seconds, Runnable task) {
    final Instant from = Instant.now();
    final Instant end = from.plusNanos((long) (seconds * 1e9));
    do {
      task.run();
    } while (Instant.now().isBefore(end));
    spans.add(new Span(from, Instant.now(), query, encoding));
  }

  /** What was seen. */
  List<Measured.Sampled> samples() {
    recording.stop();
    final Map<Seen, Long> samples = new LinkedHashMap<>();
    try (TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-profile")) {
      final Path file = directory.path().resolve("queries.jfr");
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        @Nullable final Span span = isOfQuery(event) ? span(event.getStartTime()) : null;
        if (span != null && event.getStackTrace() != null) {
          final List<String> stack = event.getStackTrace().getFrames().stream().map(Profiler::name).toList();
          final String innermost = stack.isEmpty() ? "" : stack.get(0);
          final Seen seen =
              new Seen(span.query, span.encoding, ProfilePart.of(stack), shortened(innermost));
          samples.merge(seen, 1L, Long::sum);
        }
      }
    } catch (IOException e) {
      throw new ToolException("the profile", "it cannot be written or read: " + e, "Make room for temporary files", e);
    }
    return samples.entrySet().stream().map(entry -> {
      final Seen seen = entry.getKey();
      return new Measured.Sampled(seen.query, seen.encoding, seen.part, seen.method, entry.getValue());
    }).toList();
  }

  private boolean isOfQuery(RecordedEvent event) {
    @Nullable final RecordedThread thread = event.getThread("sampledThread");
    return thread != null && thread.getJavaName() != null
        && (thread.getJavaName().equals(caller) || thread.getJavaName().startsWith(PROCESSING));
  }

  @Nullable
  private Span span(Instant time) {
    return spans.stream()
        .filter(span -> !time.isBefore(span.from) && time.isBefore(span.to))
        .findFirst()
        .orElse(null);
  }

  private static String name(RecordedFrame frame) {
    final RecordedMethod method = frame.getMethod();
    return method.getType().getName() + "." + method.getName();
  }

  /** Without the package. */
  private static String shortened(String method) {
    final int end = method.lastIndexOf('.');
    return end < 0 ? method : method.substring(method.lastIndexOf('.', end - 1) + 1);
  }

  @Override
  public void close() {
    recording.close();
  }
}
