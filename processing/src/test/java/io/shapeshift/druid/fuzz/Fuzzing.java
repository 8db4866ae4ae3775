// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.sun.management.ThreadMXBean;
import io.shapeshift.druid.testing.Damage;
import io.shapeshift.druid.testing.GuardedMemory;
import io.shapeshift.druid.testing.RandomData;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Gives inputs to a {@link FuzzTarget}, and fails unless each is read or refused, in bounded time and memory, without a
 * read outside of it. Inputs are those that are kept in the resources {@code fuzz/*.hex}, one a line, and damaged ones;
 * {@code -Dshapeshift.fuzz=SECONDS} looks for others for as long, by Jazzer, which follows how they are read.
 */
public final class Fuzzing {
  /** How long to look for inputs, for each target; 0 to try only what is kept. */
  private static final int SECONDS = Integer.getInteger("shapeshift.fuzz", 0);
  private static final int MOST_BYTES = 1 << 16;
  private static final long MOST_ALLOCATED = 64L << 20;
  private static final long MOST_NANOS = 10_000_000_000L;
  private static final String TARGET = "shapeshift.fuzz.target";
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final GuardedMemory GUARDED = guarded();

  @Nullable
  private static FuzzTarget target;

  private Fuzzing() {}

  private static GuardedMemory guarded() {
    try {
      return new GuardedMemory(MOST_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tries one input. What takes too much is tried again, as it may have been classes that were loaded. */
  private static void run(FuzzTarget target, byte[] input) {
    final byte[] bytes = target.prepare(input.length > MOST_BYTES ? Arrays.copyOf(input, MOST_BYTES) : input);
    final String first;
    try {
      first = bounded(target, bytes);
    } catch (TooMuch e) {
      bounded(target, bytes);
      return;
    }
    assertEquals(first, read(target, bytes, false), "in the middle of other bytes");
  }

  private static String bounded(FuzzTarget target, byte[] bytes) {
    final long allocated = THREADS.getCurrentThreadAllocatedBytes();
    final long start = THREADS.getCurrentThreadCpuTime();
    final String read = read(target, bytes, true);
    final long nanos = THREADS.getCurrentThreadCpuTime() - start;
    final long taken = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    if (nanos > MOST_NANOS || taken > MOST_ALLOCATED) {
      throw new TooMuch("Input of " + target.name() + " takes " + nanos + " ns and " + taken + " bytes of memory: "
          + HexFormat.of().formatHex(bytes));
    }
    return read;
  }

  private static String read(FuzzTarget target, byte[] bytes, boolean isGuarded) {
    try {
      return "read " + target.read(
          isGuarded
          ? GUARDED.put(bytes, (byte) 0xAA, ByteOrder.LITTLE_ENDIAN)
          : GuardedMemory.poisoned(bytes, (byte) 0x55, ByteOrder.LITTLE_ENDIAN)
      );
    } catch (Exception e) {
      if (target.isRefusal(e)) {
        return "refused";
      }
      throw new AssertionError("Input of " + target.name() + ": " + HexFormat.of().formatHex(bytes), e);
    } catch (AssertionError e) {
      // Services and the tool run without: Jazzer's JVM shows what happens then.
      if (e.getStackTrace().length > 0 && e.getStackTrace()[0].getClassName().startsWith("org.apache.druid.")) {
        return "refused";
      }
      throw e;
    }
  }

  /**
   * Tries the inputs that are kept for a target, those that it starts from, and damaged ones.
   *
   * @param damaged how many of these
   */
  public static void replay(FuzzTarget target, RandomData random, int damaged) throws IOException {
    final List<byte[]> inputs = new ArrayList<>(target.seeds());
    assertTrue(!inputs.isEmpty(), "no inputs");
    inputs.addAll(kept(target));
    inputs.add(new byte[0]);
    inputs.forEach(input -> run(target, input));
    final List<byte[]> filled = inputs.stream().filter(input -> input.length > 0).toList();
    for (int i = 0; i < damaged; i++) {
      run(target, Damage.any(random.oneOf(filled), random.oneOf(filled), random));
    }
  }

  private static List<byte[]> kept(FuzzTarget target) throws IOException {
    final List<byte[]> inputs = new ArrayList<>();
    try (InputStream file = target.getClass().getResourceAsStream("/fuzz/" + name(target) + ".hex")) {
      if (file != null) {
        new String(file.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith("#"))
            .forEach(line -> inputs.add(HexFormat.of().parseHex(line)));
      }
    }
    return inputs;
  }

  private static String name(FuzzTarget target) {
    return Ascii.toLowerCase(target.name());
  }

  /** Looks for inputs of a target, in a JVM of its own, for as long as is asked for. */
  public static void fuzz(FuzzTarget target) throws IOException, InterruptedException {
    if (SECONDS == 0) {
      return;
    }
    final Path folder = Path.of("target", "fuzz", name(target));
    final Path found = Files.createDirectories(folder.resolve("found"));
    final Path seeds = Files.createDirectories(folder.resolve("seeds"));
    final List<byte[]> inputs = new ArrayList<>(target.seeds());
    inputs.addAll(kept(target));
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(seeds.resolve("seed" + i), inputs.get(i));
    }
    final List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.matches("(--add|-Duser|-Dfile).*"))
        .toList());
    command.addAll(List.of(
        "-Xmx1g",
        // Jazzer enables all others.
        "-disableassertions:org.apache.druid...",
        // A constant with a body of its own is of a class of its own.
        "-D" + TARGET + "=" + ((Enum<?>) target).getDeclaringClass().getName() + "@" + target.name(),
        "-Ddruid.log.file=" + folder.resolve("druid.log"),
        "-cp",
        System.getProperty("java.class.path"),
        "com.code_intelligence.jazzer.Jazzer",
        "--target_class=" + Fuzzing.class.getName(),
        "--instrumentation_includes=io.shapeshift.**",
        "--custom_hook_includes=io.shapeshift.**",
        "--reproducer_path=" + folder,
        "-max_total_time=" + SECONDS,
        "-max_len=" + MOST_BYTES,
        "-timeout=30",
        "-rss_limit_mb=4096",
        "-artifact_prefix=" + folder + "/",
        found.toString(),
        seeds.toString()
    ));
    final File log = folder.resolve("fuzz.log").toFile();
    final int exit = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start().waitFor();
    final List<String> told;
    try (Stream<String> lines = Files.lines(log.toPath(), StandardCharsets.ISO_8859_1)) {
      told = lines.filter(line -> line.contains("Done ") || line.contains("cov: ")).toList();
    }
    System.out.println(target.name() + ": " + (told.isEmpty() ? "nothing" : String.join("; ", told.subList(
        Math.max(0, told.size() - 2), told.size()))));
    assertEquals(0, exit, () -> "a fault, see " + log + "; put the input into src/test/resources/fuzz/"
        + name(target) + ".hex once it is mended");
  }

  /**
   * What Jazzer calls first: classes are loaded and instrumented, which takes time and memory of its own.
   */
  public static void fuzzerInitialize() throws ReflectiveOperationException, IOException {
    final List<String> classAndName = Splitter.on('@').splitToList(System.getProperty(TARGET));
    for (Object constant : Class.forName(classAndName.get(0)).getEnumConstants()) {
      if (((FuzzTarget) constant).name().equals(classAndName.get(1))) {
        target = (FuzzTarget) constant;
      }
    }
    target.seeds().forEach(seed -> read(target, seed, true));
  }

  /** What Jazzer calls for each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    run(target, input);
  }

  /** Much of time or memory. */
  private static final class TooMuch extends AssertionError {
    private static final long serialVersionUID = 1;

    TooMuch(String message) {
      super(message);
    }
  }
}
