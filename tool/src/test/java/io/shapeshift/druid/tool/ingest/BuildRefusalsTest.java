// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

/** What the command does not do, what it says then, and that it leaves nothing behind. */
class BuildRefusalsTest {
  @TempDir
  private Path directory;

  @Test
  void aDirectoryMayExistIfItIsEmptyAndItsParentsNeedNot() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), "a\n1\n");
    Builds.build(input, Files.createDirectory(directory.resolve("empty")), "--no-timestamp");
    assertEquals(List.of(1L), Builds.values(directory.resolve("empty"), "a"));
    Builds.build(input, directory.resolve("x/y/../z"), "--no-timestamp");
    assertEquals(List.of(1L), Builds.values(directory.resolve("x/z"), "a"));
    assertEquals(
        directory.resolve("empty") + ": it exists already, and is not empty. Name a directory that does not exist yet",
        assertThrows(
            ToolException.class,
            () -> Builds.build(input, directory.resolve("empty"), "--no-timestamp")
        ).getMessage()
    );
    assertEquals(
        input + ": it exists already, as a file. Name a directory that does not exist yet",
        assertThrows(ToolException.class, () -> Builds.build(input, input, "--no-timestamp")).getMessage()
    );
  }

  @Test
  void whatDoesNotFitTheFileIsRefused() throws IOException {
    assertRefused(
        "FILE:3: 'x' in column 'a' is no long. Give the column another type with --type",
        "a\n1\nx\n", "--no-timestamp", "--type", "a=long"
    );
    assertRefused(
        "FILE:3: 'tomorrow' in column 'a' is no time of format 'auto'. Give its format with --timestamp-format",
        "a\n1\ntomorrow\n", "--timestamp", "a"
    );
    assertRefused(
        "FILE:2: there is no time in column 'a'. Druid has no rows without a time; --no-timestamp numbers them",
        "a,b\n,1\n", "--timestamp", "a"
    );
    for (String format : List.of("csv", "json")) {
      for (String time : List.of("1700000000.25", "-1.5")) {
        assertRefused(
            "FILE:" + (format.equals("csv") ? 2 : 1) + ": '" + time + "' in column 'a' has a fraction, which format "
                + "'posix' does not know. Give --timestamp-format ruby if these are seconds, or millis, which cuts "
                + "fractions off",
            format.equals("csv") ? "a\n" + time + "\n" : "{\"a\": " + time + "}\n",
            "--timestamp", "a", "--format", format, "--timestamp-format", "posix"
        );
      }
    }
    assertRefused(
        "FILE:2: '9223372036854775807' in column 'a' is beyond the times of Druid",
        "a\n9223372036854775807\n", "--timestamp", "a"
    );
    assertRefused("FILE: there is no column 'b', which --timestamp names. There are a", "a\n1\n", "--timestamp", "b");
    assertRefused(
        "FILE: there is no column 'b', which --type names. There are a",
        "a\n1\n", "--no-timestamp", "--type", "b=long"
    );
    assertRefused(
        "FILE: there is no column 'b', which --metric names. There are a",
        "a\n1\n", "--no-timestamp", "--metric", "m=longSum:b"
    );
    assertRefused(
        "FILE:2: Unable to parse value[x] for field[a]",
        "a\nx\n", "--no-timestamp", "--metric", "m=longSum:a"
    );
    assertRefused(
        "FILE: the options do not fit the table: projection[p] contains dimension[b] that is not present on the base "
            + "table or a virtual column",
        "a\n1\n", "--no-timestamp", "--projection",
        "{\"type\": \"aggregate\", \"name\": \"p\", \"groupingColumns\": [{\"type\": \"string\", \"name\": \"b\"}]}"
    );
    assertRefused(
        "FILE: the options do not fit the table: projection[p] contains aggregator[cnt] that references "
            + "aggregator[count] in base table but this is not supported, projection aggregators which reference base "
            + "table aggregates must be 'combining' aggregators with the same name as the base table column",
        "a,t\nx,1\n", "--timestamp", "t", "--rollup", "--metric", "count", "--projection",
        "{\"type\": \"aggregate\", \"name\": \"p\", \"groupingColumns\": [{\"type\": \"string\", \"name\": \"a\"}], "
            + "\"aggregators\": [{\"type\": \"longSum\", \"name\": \"cnt\", \"fieldName\": \"count\"}]}"
    );
    assertRefused(
        "FILE:1: the name of the column 'b,c' holds a comma or a line feed, which segments of Druid's version 9 "
            + "cannot store. Rename it, or give --segment-version 10",
        "a,\"b,c\"\n1,2\n", "--no-timestamp", "--types", "string"
    );
    assertRefused(
        "FILE:1: the name of the column 'b c' holds a comma or a line feed, which segments of Druid's version 9 "
            + "cannot store. Rename it, or give --segment-version 10",
        "a,\"b\nc\"\n1,2\n", "--no-timestamp"
    );
    assertRefused(
        "FILE:2: the name of the column 'b,c' holds a comma or a line feed, which segments of Druid's version 9 "
            + "cannot store. Rename it, or give --segment-version 10",
        "{\"a\": 1}\n{\"a\": 1, \"b,c\": 2}\n", "--no-timestamp", "--format", "json"
    );
    assertRefused(
        "FILE: the segment would have the column 'a' twice. Rename a metric; a column that a metric reads is no "
            + "dimension unless --type names it",
        "a\n1\n", "--no-timestamp", "--metric", "a=count"
    );
    assertRefused(
        "FILE: the segment would have the column '__time' twice. It is Druid's name for the time: name it with "
            + "--timestamp, or rename it",
        "a,__time\n1,2\n", "--no-timestamp"
    );
    assertRefused(
        "FILE:2: an expression cannot take the row: Function[parse_json] bad string input [x]",
        "a\nx\n", "--no-timestamp", "--metric",
        "{\"type\": \"longSum\", \"name\": \"m\", \"expression\": \"parse_json(a)\"}"
    );
    assertRefused(
        "FILE:1: there are no rows. Druid has no segments without rows",
        "a\n", "--no-timestamp"
    );
  }

  /** Druid itself lets the file of one column take the place of another's, or of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"compression", "shapeshift"})
  void namesThatDruidOrAColumnHasAlreadyAreRefused(String strategy) throws IOException {
    for (String name : List.of("index.drd", "metadata.drd")) {
      assertRefused(
          "FILE: the options do not fit the table: column[" + name + "] would be stored in the file[" + name + "], "
              + "which is Druid's own in segments of version 9: rename it",
          "a," + name + "\n1,x\n", "--no-timestamp", "--strategy", strategy
      );
    }
    assertRefused(
        "FILE: the options do not fit the table: column[q] of projection[p] and column[p/q] would both be stored in "
            + "the file[p/q] of the segment: rename one of them",
        "q,p/q\nx,1\n", "--no-timestamp", "--strategy", strategy, "--projection", projection("p", "q")
    );
    assertRefused(
        "FILE: the options do not fit the table: column[q] of projection[__base/p] and column[p/q] would both be "
            + "stored in the file[__base/p/q] of the segment: rename one of them",
        "q,p/q\nx,1\n", "--no-timestamp", "--strategy", strategy, "--segment-version", "10",
        "--projection", projection("__base/p", "q")
    );
    assertRefused(
        "FILE: the options do not fit the table: column[r] of projection[p/q] and column[q/r] of projection[p] would "
            + "both be stored in the file[p/q/r] of the segment: rename one of them",
        "q/r,r\nx,y\n", "--no-timestamp", "--strategy", strategy,
        "--projection", projection("p", "q/r"), "--projection", projection("p/q", "r")
    );
    assertRefused(
        "FILE: the options do not fit the table: projection[__base] has the name that the table itself has in segments "
            + "of version 10: rename it",
        "q\nx\n", "--no-timestamp", "--strategy", strategy, "--segment-version", "10",
        "--projection", projection("__base", "q")
    );
    for (String version : List.of("9", "10")) {
      final String prefix = version.equals("9") ? "" : "__base/";
      assertRefused(
          "FILE: the options do not fit the table: column[a.__encodedColumn] and column[a] would both be stored in the "
              + "file[" + prefix + "a.__encodedColumn] of the segment: rename one of them",
          "a,a.__encodedColumn\nx,1\n", "--no-timestamp", "--strategy", strategy, "--type", "a=auto",
          "--segment-version", version
      );
      assertRefused(
          "FILE: the options do not fit the table: column[j.__field_0] and column[j] would both be stored in the "
              + "file[" + prefix + "j.__field_0] of the segment: rename one of them",
          "{\"j\": {\"x\": 1}, \"j.__field_0\": 1}\n", "--no-timestamp", "--strategy", strategy, "--format", "json",
          "--segment-version", version
      );
    }
  }

  private static String projection(String name, String column) {
    return "{\"type\": \"aggregate\", \"name\": \"" + name + "\", \"groupingColumns\": [{\"type\": \"string\", "
        + "\"name\": \"" + column + "\"}], \"aggregators\": [{\"type\": \"count\", \"name\": \"c\"}]}";
  }

  /** Druid's parser of JSON has a limit, and would not load the segment. */
  @Test
  void aNameThatNoReaderTakesIsRefused() throws IOException {
    assertRefused(
        "FILE: the options do not fit the table: column[" + "n".repeat(100) + "...] would be stored in the file[__base/"
            + "n".repeat(93) + "...], whose name has 70,007 bytes, too many for segments of version 10, which Druid "
            + "could not load: use a shorter name",
        "n".repeat(70_000) + ",b\n1,2\n", "--no-timestamp", "--segment-version", "10"
    );
    assertRefused(
        "FILE: the options do not fit the table: column[b] of projection[" + "p".repeat(99) + "...] would be"
            + " stored in the file[" + "p".repeat(99) + "...], whose name has 60,101 bytes, too many for segments of"
            + " version 10, which Druid could not load: use a shorter name",
        "a,b\nx,y\n", "--no-timestamp", "--segment-version", "10",
        "--projection", projection("p".repeat(99) + "\uD83D\uDE00".repeat(15_000), "b")
    );
    final Path out = directory.resolve("out");
    for (String version : List.of("9", "10")) {
      final String name = "n".repeat(version.equals("9") ? 70_000 : 49_000);
      Builds.build(
          Files.writeString(directory.resolve("t.csv"), name + ",b\n1,2\n"), out.resolve(version),
          "--no-timestamp", "--segment-version", version
      );
      assertEquals(List.of(1L), Builds.values(out.resolve(version), name));
    }
  }

  /** Names that only look like those of further files: these columns have none. */
  @Test
  void namesThatOnlyLookLikeOnesThatAreDerivedAreStored() throws IOException {
    final Path out = directory.resolve("out");
    Builds.build(
        Files.writeString(directory.resolve("t.csv"), "a,a.__encodedColumn,b,b.__field_x\n1,2,3,4\n"), out,
        "--no-timestamp", "--type", "b=auto"
    );
    assertEquals(List.of(2L), Builds.values(out, "a.__encodedColumn"));
    assertEquals(List.of(4L), Builds.values(out, "b.__field_x"));
  }

  private void assertRefused(String message, String text, String... options) throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), text);
    final Path out = directory.resolve("x/y");
    assertEquals(
        message.replace("FILE", input.toString()),
        assertThrows(ToolException.class, () -> Builds.build(input, out, options)).getMessage()
    );
    assertFalse(Files.exists(out.getParent()));
  }

  @Test
  void whatIsNoFileIsRefused() throws IOException {
    final Path out = directory.resolve("out");
    assertEquals(
        directory + ": it is a directory. Name a regular file: it may have to be read twice",
        assertThrows(ToolException.class, () -> Builds.build(directory, out, "--no-timestamp")).getMessage()
    );
    assertEquals(
        "-: it is no regular file. Name a regular file: it may have to be read twice",
        assertThrows(ToolException.class, () -> Builds.build(Path.of("-"), out, "--no-timestamp")).getMessage()
    );
    final Path input = Files.writeString(directory.resolve("t.csv"), "a\n1\n");
    final Path missing = directory.resolve("missing.json");
    assertEquals(
        missing + ": there is no such file. --index-spec names it",
        assertThrows(
            ToolException.class,
            () -> Builds.build(input, out, "--no-timestamp", "--index-spec", "@" + missing)
        ).getMessage()
    );
  }

  @Test
  void whoComesSecondIsToldThatTheSegmentExists() throws Exception {
    final Path input = Files.writeString(directory.resolve("t.csv"), "a,b\n" + "1,x\n2,y\n".repeat(50_000));
    final Path out = directory.resolve("out");
    final Callable<Void> other = () -> {
      while (!isBuilding()) {
        Thread.onSpinWait();
      }
      Files.createFile(Files.createDirectory(out).resolve("first"));
      return null;
    };
    final ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      final Future<Void> first = executor.submit(other);
      assertEquals(
          out + ": it exists already, and is not empty. Name a directory that does not exist yet",
          assertThrows(ToolException.class, () -> Builds.build(input, out, "--no-timestamp")).getMessage()
      );
      first.get();
    } finally {
      executor.shutdownNow();
    }
    assertTrue(Files.exists(out.resolve("first")));
    assertFalse(isBuilding());
  }

  private boolean isBuilding() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(TemporaryDirectory.PREFIX));
    }
  }

  @Test
  void commandLinesThatContradictThemselvesAreRefused() throws IOException {
    assertUsage("Either --timestamp COLUMN or --no-timestamp must be given");
    assertUsage(
        "Either --timestamp COLUMN or --no-timestamp must be given, not both",
        "--timestamp", "a", "--no-timestamp"
    );
    assertUsage(
        "--timestamp-format has no effect with --no-timestamp: leave it out",
        "--no-timestamp", "--timestamp-format", "iso"
    );
    assertUsage(
        "Invalid value for option '--timestamp-format': 'foo' is no format of Druid's timestampSpec, and no "
            + "pattern",
        "--timestamp", "a", "--timestamp-format", "foo"
    );
    assertUsage(
        "--rollup and --query-granularity change the order of the file, which --no-timestamp keeps",
        "--no-timestamp", "--rollup"
    );
    assertUsage(
        "--query-granularity all leaves no time to have: take year, or a period in JSON",
        "--timestamp", "a", "--query-granularity", "all"
    );
    assertUsage("--segment-version is 8: it must be 9 or 10", "--no-timestamp", "--segment-version", "8");
    assertUsage("--max-rows is 0: it must be 1 or more", "--no-timestamp", "--max-rows", "0");
    assertUsage("--max-rows-in-memory is 0: it must be 1 or more", "--no-timestamp", "--max-rows-in-memory", "0");
    assertUsage("--type names the column 'a' twice", "--no-timestamp", "--type", "a=long", "--type", "a=string");
    assertUsage(
        "Invalid value for option '--long-encoding-strategy': 'lz4' is not one of compression, "
            + "shapeshift, shapeshift-TARGET and shapeshift-TARGET-BLOCKSIZE",
        "--no-timestamp", "--long-encoding-strategy", "lz4"
    );
    assertUsage(
        "Invalid value for option '--float-encoding-strategy': there is no target 'small', "
            + "but smaller, fastbutsmallish, faster",
        "--no-timestamp", "--float-encoding-strategy", "shapeshift-small"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): 'a=nope:b' is no aggregator: the type 'nope' is not one of "
            + "Druid's core",
        "--no-timestamp", "--metric", "a=nope:b"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): 'm=doubleMean:a' is an aggregator for queries: Druid stores no "
            + "metric of type COMPLEX<doubleMean>",
        "--no-timestamp", "--metric", "m=doubleMean:a"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): 'm=filtered:a' is no aggregator: it lacks aggregator",
        "--no-timestamp", "--metric", "m=filtered:a"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): '{\"type\": \"doubleSum\", \"fieldName\": \"a\"}' is no "
            + "aggregator: Must have a valid, non-null aggregator name",
        "--no-timestamp", "--metric", "{\"type\": \"doubleSum\", \"fieldName\": \"a\"}"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): 'a' is not NAME=TYPE:COLUMN, nor count, nor the JSON of an "
            + "aggregator",
        "--no-timestamp", "--metric", "a"
    );
    assertUsage(
        "Invalid value for option '--type' (COLUMN=TYPE): 'a=int' is not COLUMN=TYPE with one of the types string, "
            + "long, float, double, auto and json",
        "--no-timestamp", "--type", "a=int"
    );
    for (String option : List.of("--list-delimiter", "--delimiter")) {
      for (String delimiter : List.of("", "ab", "\"", "\n")) {
        assertUsage(
            "Invalid value for option '" + option + "': '" + delimiter + "' must be one character, and no quote or "
                + "line end",
            "--no-timestamp", option, delimiter
        );
      }
    }
    assertUsage(
        "--list-delimiter is what separates the columns of CSV already: take another character",
        "--no-timestamp", "--list-delimiter", ","
    );
    assertUsage(
        "--list-delimiter is what separates the columns of CSV already: take another character",
        "--no-timestamp", "--list-delimiter", ";", "--delimiter", ";"
    );
    assertUsage(
        "--index-spec is not an indexSpec: bitmap.type is not one of concise, roaring",
        "--no-timestamp", "--index-spec", "{\"bitmap\": {\"type\": \"foo\"}}"
    );
    assertUsage(
        "--index-spec is not an indexSpec: line 1, column 2: Unexpected end-of-input: expected close marker for Object "
            + "(start marker at line: 1, column: 1)",
        "--no-timestamp", "--index-spec", "{"
    );
    assertUsage(
        "--columns has an empty name, or one twice: a,a",
        "--no-timestamp", "--columns", "a,a"
    );
    for (String[] option : List.of(
        new String[] {"--columns", "a,b"}, new String[] {"--delimiter", ";"}, new String[] {"--list-delimiter", ";"},
        new String[] {"--null", "null"})) {
      assertUsage(
          "--columns, --delimiter, --list-delimiter, --null and --schema are for CSV, TSV and text: JSON names "
              + "columns, and has lists and nulls itself",
          "--no-timestamp", "--format", "json", option[0], option[1]
      );
    }
    assertUsage(
        "--delimiter is what keeps a delimiter within a value of TEXT: take another character",
        "--no-timestamp", "--format", "text", "--delimiter", "\\"
    );
    for (String impossible : List.of("a,b", "a\n")) {
      assertUsage(
          "--null has what ends a value, so that no value can be it: take another text",
          "--no-timestamp", "--null", impossible
      );
    }
    assertUsage(
        "--index-spec names encodingStrategy, so leave out --strategy, --target, --block-size and the "
            + "strategies of single types",
        "--no-timestamp", "--index-spec", "{\"encodingStrategy\": {\"strategy\": \"compression\"}}",
        "--strategy", "shapeshift"
    );
    assertUsage(
        "--index-spec is not an indexSpec: longEncodingStrategy.strategy[lz4] is unknown. "
            + "Allowed are [compression, shapeshift]",
        "--no-timestamp", "--index-spec", "{\"longEncodingStrategy\": {\"strategy\": \"lz4\"}}"
    );
    assertUsage(
        "--index-spec is not an indexSpec: longEncodingStrategy[lz4] is unknown. Allowed are [compression, shapeshift]",
        "--no-timestamp", "--index-spec", "{\"longEncodingStrategy\": \"lz4\"}"
    );
    assertUsage(
        "--index-spec is not an indexSpec: dimensionCompression is not one of "
            + "[\"lzf\",\"lz4\",\"zstd\",\"uncompressed\",\"none\"]",
        "--no-timestamp", "--index-spec", "{\"dimensionCompression\": \"lz5\"}"
    );
    assertUsage(
        "--index-spec names intEncodingStrategy, so leave out --strategy, --target, --block-size and the "
            + "strategies of single types",
        "--no-timestamp", "--index-spec", "{\"intEncodingStrategy\": {\"strategy\": \"compression\"}}",
        "--target", "faster"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): '{\"type\": \"longSum\", \"name\": \"m\", \"expression\": "
            + "\"nosuch(a)\"}' has an expression that Druid cannot read: function 'nosuch' is not defined.",
        "--no-timestamp", "--metric", "{\"type\": \"longSum\", \"name\": \"m\", \"expression\": \"nosuch(a)\"}"
    );
    assertUsage(
        "Invalid value for option '--metric' (METRIC): '{\"type\": \"longSum\", \"name\": \"m\", \"expression\": "
            + "\"a +\"}' has an expression that Druid cannot read",
        "--no-timestamp", "--metric", "{\"type\": \"longSum\", \"name\": \"m\", \"expression\": \"a +\"}"
    );
    final String twice = "{\"type\": \"aggregate\", \"name\": \"p\", \"groupingColumns\": [{\"type\": \"long\", "
        + "\"name\": \"a\"}, {\"type\": \"long\", \"name\": \"a\"}]}";
    assertUsage(
        "Invalid value for option '--projection' (JSON): '" + twice + "' has the column 'a' twice",
        "--no-timestamp", "--projection", twice
    );
    assertUsage("--index-spec is no JSON object: 5", "--no-timestamp", "--index-spec", "5");
    assertUsage(
        "--index-spec has the property 'dimensionCompresion', which no indexSpec has. There are autoColumnFormatSpec, "
            + "bitmap, columns, complexEncodingStrategy, complexMetricCompression, dictionaryEncodingStrategy, "
            + "dimensionCompression, "
            + "doubleEncodingStrategy, encodingStrategy, floatEncodingStrategy, "
            + "indexEncodingStrategy, intEncodingStrategy, jsonCompression, longEncoding, "
            + "longEncodingStrategy, metadataCompression, metricCompression, nestedEncodingStrategy, segmentLoader, "
            + "stringColumnFormatSpec, stringDictionaryEncoding",
        "--no-timestamp", "--index-spec", "{\"dimensionCompresion\": \"lz4\"}"
    );
    assertUsage(
        "The name 'm,n' holds a comma or a line feed, which segments of Druid's version 9 cannot store: rename it, or "
            + "give --segment-version 10",
        "--no-timestamp", "--metric", "m,n=count"
    );
    assertUsage(
        "The name 'p,q' holds a comma or a line feed, which segments of Druid's version 9 cannot store: rename it, or "
            + "give --segment-version 10",
        "--no-timestamp", "--projection",
        "{\"type\": \"aggregate\", \"name\": \"p,q\", \"groupingColumns\": [{\"type\": \"long\", \"name\": \"a\"}]}"
    );
  }

  @Test
  void aSchemaStandsAlone() throws IOException {
    final String schema =
        Files.writeString(directory.resolve("t.sql"), "CREATE TABLE t (a bigint, b varchar(3));").toString();
    assertUsage(
        "--schema names the columns: leave out --columns", "--no-timestamp", "--schema", schema, "--columns", "a,b");
    for (String types : List.of("infer", "string")) {
      assertUsage(
          "--schema has the types of all columns: leave out --types; --type names another type of one",
          "--no-timestamp", "--schema", schema, "--types", types
      );
    }
    assertUsage(
        "--columns, --delimiter, --list-delimiter, --null and --schema are for CSV, TSV and text: JSON names columns, "
            + "and has lists and nulls itself",
        "--no-timestamp", "--format", "json", "--schema", schema
    );
    assertRefused(
        "FILE:2: 'y' in column 'a' is no long. Give the column another type with --type",
        "1|x\ny|z\n", "--no-timestamp", "--schema", schema
    );
    assertRefused(
        "FILE:2: found 1 field where there are 2 columns. If another character than '|' is between values, name it "
            + "with --delimiter",
        "1|x\n2,y\n", "--no-timestamp", "--schema", schema
    );
    assertRefused(
        "FILE: there is no column 'c', which --type names. There are a, b",
        "1|x\n", "--no-timestamp", "--schema", schema, "--type", "c=long"
    );
    assertRefused(
        "FILE:1: there are no rows. Druid has no segments without rows", "", "--no-timestamp", "--schema", schema);
    assertRefused(
        directory.resolve("no.sql") + ": there is no such file",
        "1|x\n", "--no-timestamp", "--schema", directory.resolve("no.sql").toString()
    );
  }

  private void assertUsage(String message, String... options) throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), "a\n1\n");
    final Path out = directory.resolve("x/y");
    assertEquals(
        message,
        assertThrows(ParameterException.class, () -> Builds.build(input, out, options)).getMessage()
    );
    assertFalse(Files.exists(out.getParent()));
  }
}
