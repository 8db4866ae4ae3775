// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Generates the classes for doubles and floats from those for longs, from which they differ by the primitive alone. A
 * shared class would cost speed, in loops over arrays of several types or calls to one of several readers.
 *
 * <p>Run {@code java scripts/NumberClasses.java} after a change of a class for longs. In such a class the word long
 * stands for the type of the numbers, and for nothing else. With {@code --check ROOT}, as the build calls it, nothing is
 * written, and 1 is the exit code if a generated class is not up to date.
 */
public final class NumberClasses {
  private static final String SOURCES = "processing/src/main/java/io/shapeshift/druid";
  private static final List<String> OF_LONGS = List.of(
      "form/numbers/LongChunkReader.java",
      "column/numbers/ShapeShiftingColumnarLongs.java",
      "column/numbers/ShapeShiftingColumnarLongsSerializer.java",
      "column/numbers/ShapeShiftingColumnarLongsSupplier.java"
  );
  private static final String NOTE = "// scripts/NumberClasses.java generates the classes for other types from this one.";

  private NumberClasses() {}

  /**
   * Generates or checks.
   *
   * @param arguments none, from the root of the project; or {@code --check} and this root
   */
  public static void main(String[] arguments) throws IOException {
    final boolean check = arguments.length == 2 && arguments[0].equals("--check");
    if (!check && arguments.length > 0) {
      System.err.println("Usage: java scripts/NumberClasses.java [--check ROOT]");
      System.exit(2);
    }
    final Path sources = Path.of(check ? arguments[1] : ".").resolve(SOURCES);
    final List<String> stale = new ArrayList<>();
    for (String file : OF_LONGS) {
      final String ofLongs = Files.readString(sources.resolve(file));
      if (!ofLongs.contains(NOTE)) {
        throw new IllegalStateException(file + " does not say that others are generated from it: " + NOTE);
      }
      for (String type : List.of("Double", "Float")) {
        final Path target = sources.resolve(of(type, file));
        final String generated = generate(Path.of(file).getFileName().toString(), ofLongs, type);
        if (!check) {
          Files.writeString(target, generated);
        } else if (!Files.exists(target) || !generated.equals(Files.readString(target))) {
          stale.add(target.toString());
        }
      }
    }
    if (!stale.isEmpty()) {
      System.err.println(
          "Not what is generated from the classes for longs, run 'java scripts/NumberClasses.java': " + stale);
      System.exit(1);
    }
  }

  private static String generate(String file, String ofLongs, String type) {
    final String note = "// Generated from " + file + " by scripts/NumberClasses.java: do not edit.";
    final String generated = of(type, ofLongs).replace(of(type, NOTE), note);
    // Druid's columns of floats, alone of all, do not read to an array from an offset on.
    final String method = "  public void get(float[] out, int offset,";
    return type.equals("Float") ? generated.replace("  @Override\n" + method, method) : generated;
  }

  private static String of(String type, String text) {
    return text
        .replace("Long", type)
        .replace("long", type.toLowerCase(Locale.ROOT))
        .replace("LONG", type.toUpperCase(Locale.ROOT));
  }
}
