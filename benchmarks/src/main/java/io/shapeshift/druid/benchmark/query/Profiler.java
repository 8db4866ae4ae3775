// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Samples the threads of the queries a hundred times a second, by Java Flight Recorder. It does not see waiting
 * threads, stacks that cannot be read, or times at which the profiler itself gets no processor. So it also reports how
 * long the threads were busy.
 */
final class Profiler implements AutoCloseable {
  /** JVM options with which inlined methods are told apart. */
  static final List<String> JVM_OPTIONS = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

  private static final Duration PERIOD = Duration.ofMillis(10);
  /** Samples of Java code, and of native code such as that of Zstandard. */
  private static final List<String> EVENTS = List.of("jdk.ExecutionSample", "jdk.NativeMethodSample");
  /** Druid's processing threads have names that begin with this, also while they run a query. */
  private static final String PROCESSING = "processing";

  private static final double NANOS_PER_SECOND = 1e9;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Recording recording = new Recording();
  private final String caller = Thread.currentThread().getName();
  private final List<Span> spans = new ArrayList<>();

  private record Span(Instant from, Instant to, String query, String encoding, long cpuNanos) {}

  private record Seen(ProfilePart part, String method) {}

  /** Starts the recording. The calling thread is the one that runs the queries. */
  Profiler() {
    EVENTS.forEach(event -> recording.enable(event).withPeriod(PERIOD).withStackTrace());
    recording.start();
  }

  /** Runs a query over and over. */
  void run(String query, String encoding, double seconds, Runnable task) {
    final long cpuNanos = cpuNanos();
    final Instant from = Instant.now();
    final Instant end = from.plusNanos((long) (seconds * NANOS_PER_SECOND));
    do {
      task.run();
    } while (Instant.now().isBefore(end));
    spans.add(new Span(from, Instant.now(), query, encoding, cpuNanos() - cpuNanos));
  }

  /** CPU time of the threads of the queries. */
  private long cpuNanos() {
    return Stream.of(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
        .filter(thread -> thread != null && isOfQuery(thread.getThreadName()))
        .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getThreadId()))
        .sum();
  }

  /** Profiles, in the order of the runs. */
  List<Measured.Profile> profile() {
    recording.stop();
    final Map<Span, Map<Seen, Long>> samples = new LinkedHashMap<>();
    spans.forEach(span -> samples.put(span, new LinkedHashMap<>()));
    try (TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-profile")) {
      final Path file = directory.path().resolve("queries.jfr");
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        @Nullable final RecordedThread thread = event.getThread("sampledThread");
        @Nullable final Span span = span(event.getStartTime());
        if (thread != null && isOfQuery(thread.getJavaName()) && span != null && event.getStackTrace() != null) {
          final List<String> stack = event.getStackTrace().getFrames().stream().map(Profiler::name).toList();
          final Seen seen = new Seen(ProfilePart.of(stack), stack.isEmpty() ? "" : shortened(stack.get(0)));
          samples.get(span).merge(seen, 1L, Long::sum);
        }
      }
    } catch (IOException e) {
      throw new ToolException("the profile", "it cannot be written or read: " + e, "Make room for temporary files", e);
    }
    return spans.stream().map(span -> new Measured.Profile(
        span.query,
        span.encoding,
        (double) span.cpuNanos / PERIOD.toNanos(),
        samples.get(span).entrySet().stream()
            .map(seen -> new Measured.Sampled(seen.getKey().part, seen.getKey().method, seen.getValue()))
            .toList()
    )).toList();
  }

  private boolean isOfQuery(@Nullable String thread) {
    return thread != null && (thread.equals(caller) || thread.startsWith(PROCESSING));
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

  /** The method's name without its package. */
  private static String shortened(String method) {
    final int end = method.lastIndexOf('.');
    return end < 0 ? method : method.substring(method.lastIndexOf('.', end - 1) + 1);
  }

  @Override
  public void close() {
    recording.close();
  }
}
