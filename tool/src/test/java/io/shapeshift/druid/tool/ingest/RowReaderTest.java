// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.ingest.InputTable.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowReaderTest {
  private static final String ONE_OBJECT = ". There must be one object on each line: {\"column\": value, ...}; "
      + "'jq -c .' makes such lines of JSON that spans several";

  @TempDir
  private Path directory;

  @Test
  void csvHasQuotesAndNulls() throws IOException {
    assertRows(
        Format.CSV,
        "a,b\n1,x\n,\n\"\",\" \"\n\"x,y\",\"say \"\"hi\"\"\"\n5\" disk,a\"b\"\n",
        row("a", "1", "b", "x"),
        row("a", null, "b", null),
        row("a", "", "b", " "),
        row("a", "x,y", "b", "say \"hi\""),
        row("a", "5\" disk", "b", "a\"b\"")
    );
  }

  @Test
  void quotedValuesSpanLinesAndKeepTheirLineFeeds() throws IOException {
    assertRows(
        Format.CSV,
        "a,b\r\n\"1\r\n2\n\n3\",x\r\n\"\n\",\"\r\n\"\r\n",
        row("a", "1\r\n2\n\n3", "b", "x"),
        row("a", "\n", "b", "\r\n")
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\n1,2", "\uFEFFa,b\n1,2\n", "\uFEFF\"a\",\"b\"\n\"1\",\"2\""
  })
  void linesEndAsTheyLikeAndAByteOrderMarkIsNoValue(String text) throws IOException {
    assertRows(Format.CSV, text, row("a", "1", "b", "2"));
  }

  @Test
  void tsvKnowsNoQuotes() throws IOException {
    assertRows(Format.TSV, "a\tb\n\"x\t\"\"\n\t,\n", row("a", "\"x", "b", "\"\""), row("a", null, "b", ","));
  }

  @Test
  void textHasEscapesAndNoQuotes() throws IOException {
    assertRows(
        Format.TEXT,
        "a|b\n\"x|\"\"\nC:\\new\\|x|\\\\\n\\\\|\\\r\n|,\nx|y|\n||\n\\\\\\||\\|\\|",
        row("a", "\"x", "b", "\"\""),
        row("a", "C:\\new|x", "b", "\\"),
        row("a", "\\", "b", "\\"),
        row("a", null, "b", ","),
        row("a", "x", "b", "y"),
        row("a", null, "b", null),
        row("a", "\\|", "b", "||")
    );
  }

  @Test
  void anyCharacterCanBeBetweenValues() throws IOException {
    final Path file = Files.writeString(directory.resolve("t"), "a;b\n\"1;\"\"2\";x,y\n");
    assertEquals(
        List.of(row("a", "1;\"2", "b", "x,y")), read(new InputTable(file, Format.CSV, ';', "", null, null)));
    assertEquals(
        List.of(row("a", "1\\b;", "b", "|")),
        read(new InputTable(
            Files.writeString(file, "a;b\n1\\b\\;;|;\n"), Format.TEXT, ';', "", null, null))
    );
  }

  @ParameterizedTest
  @CsvSource({"CSV, null", "TSV, null", "TEXT, null", "TEXT, \\N"})
  void aTextStandsForNull(Format format, String nullText) throws IOException {
    final Path file = Files.writeString(
        directory.resolve("t"), "1,2\nN,\n,N\nNN,N N\n".replace(",", "\u00A6").replace("N", nullText));
    assertEquals(
        List.of(
            row("a", "1", "b", "2"),
            row("a", null, "b", ""),
            row("a", "", "b", null),
            row("a", nullText + nullText, "b", nullText + " " + nullText)
        ),
        read(new InputTable(file, format, '\u00A6', nullText, null, List.of("a", "b")))
    );
  }

  @Test
  void aQuotedNullIsAText() throws IOException {
    final Path file = Files.writeString(directory.resolve("t"), "a,b\n\"null\",null\n");
    assertEquals(
        List.of(row("a", "null", "b", null)), read(new InputTable(file, Format.CSV, ',', "null", null, null)));
  }

  @Test
  void listsAreSplit() throws IOException {
    final Path file = Files.writeString(directory.resolve("t.csv"), "a,b\nx|y||z,|\n\"1|2\",3\n");
    assertEquals(
        List.of(
            row("a", List.of("x", "y", "", "z"), "b", List.of("", "")),
            row("a", List.of("1", "2"), "b", "3")
        ),
        read(new InputTable(file, Format.CSV, '|', null))
    );
  }

  @Test
  void columnsCanBeNamedInsteadOfAHeader() throws IOException {
    final Path file = Files.writeString(directory.resolve("t.csv"), "1,2\n");
    assertEquals(List.of(row("x", "1", "y", "2")), read(new InputTable(file, Format.CSV, null, List.of("x", "y"))));
  }

  @Test
  void oneColumnHasNullInAnEmptyLine() throws IOException {
    assertRows(Format.CSV, "a\n\n1\n", row("a", null), row("a", "1"));
  }

  @Test
  void jsonLinesKeepTheirTypes() throws IOException {
    assertRows(
        Format.JSON,
        "{\"a\": 1, \"b\": \"1\"}\r\n\n{\"a\": 0.5, \"c\": [1, \"x\", null]}\n{\"d\": {\"e\": true}, \"a\": null}",
        row("a", 1, "b", "1"),
        row("a", 0.5, "c", Arrays.asList(1, "x", null)),
        row("d", Map.of("e", true), "a", null)
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "BZ2"})
  void compressedFilesAreUnpackedAndTheirBytesAreCounted(String suffix) throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Two members, as from 'cat a.gz b.gz'.
    for (String text : List.of("a,b\n1,", "2\n3,4\n")) {
      bytes.write(Builds.compress(suffix, text.getBytes(StandardCharsets.UTF_8)));
    }
    final Path file = Files.write(directory.resolve("t.csv." + suffix), bytes.toByteArray());
    final InputTable table = new InputTable(file, Format.CSV, null, null);
    assertEquals(List.of(row("a", "1", "b", "2"), row("a", "3", "b", "4")), read(table));
    try (RowReader rows = table.open()) {
      while (rows.next() != null) {
        assertTrue(rows.bytesRead() <= table.sizeInBytes());
      }
      assertEquals(table.sizeInBytes(), rows.bytesRead());
    }
  }

  @Test
  void longLinesAndUnicodeAreKept() throws IOException {
    final String value = "größer \uD83D\uDE00 ".repeat(20_000);
    assertRows(Format.CSV, "ä,b\n" + value + ",x\n", row("ä", value, "b", "x"));
  }

  @Test
  void namesTellFormats() {
    assertEquals(Format.CSV, Format.of(Path.of("a.b/x.csv")).orElseThrow());
    assertEquals(Format.TSV, Format.of(Path.of("x.TSV.GZ")).orElseThrow());
    assertEquals(Format.JSON, Format.of(Path.of("x.jsonl.gz")).orElseThrow());
    assertEquals(Format.JSON, Format.of(Path.of("x.json")).orElseThrow());
    assertEquals(Format.CSV, Format.of(Path.of("x.csv.bz2")).orElseThrow());
    assertEquals(Format.TEXT, Format.of(Path.of("x.tbl")).orElseThrow());
    assertTrue(Format.of(Path.of("x.gz")).isEmpty());
    assertTrue(Format.of(Path.of("x.txt")).isEmpty());
  }

  @Test
  void malformedLinesAreNamed() throws IOException {
    assertMessage(
        Format.CSV, "a,b\n\"x\ny\",1\n1\n",
        "FILE:4: found 1 field where there are 2 columns. If another character than ',' is between values, name it "
            + "with --delimiter"
    );
    assertMessage(
        Format.CSV, "a,b\n1,2,3\n",
        "FILE:2: found 3 fields where there are 2 columns. A value that holds a ',' or a line feed must be in quotes"
    );
    assertMessage(
        Format.TSV, "a\tb\n1\t2\t3\n",
        "FILE:2: found 3 fields where there are 2 columns"
    );
    assertMessage(
        Format.TEXT, "a|b\n1|2|3\n",
        "FILE:2: found 3 fields where there are 2 columns. A '|' in a value must have a \\ before it"
    );
    assertMessage(Format.TEXT, "a|b|c\n1|\\|\n", "FILE:2: found 2 fields where there are 3 columns");
    assertMessage(
        Format.CSV, "a,b\n1,\"x\n2,y\n",
        "FILE:2: the quote that opens field 2 is never closed. Close it, or double it if it belongs to the value"
    );
    assertMessage(
        Format.CSV, "a,b\n1,\"" + ("x".repeat(1 << 20) + "\n").repeat(17) + "\"\n",
        "FILE:2: the quoted value of field 2 goes on over more than 16,777,216 characters. Shorten it, unless its "
            + "closing quote is missing"
    );
    assertMessage(
        Format.JSON, "{\"a\":" + "[".repeat(1000) + "\n",
        "FILE:1: the line is no JSON object: Document nesting depth (1001) exceeds the maximum allowed (1000). "
            + "There must be one object on each line: {\"column\": value, ...}; 'jq -c .' makes such lines of JSON "
            + "that spans several"
    );
    assertMessage(
        Format.CSV, "a,b\r1,2\r3,4\r",
        "FILE:1: character 4 of the line is a carriage return without a line feed. If lines end in those, convert "
            + "them, with tr '\\r' '\\n' for example"
    );
    assertMessage(
        Format.CSV, "a,b\n1,2\r3,4\r5,6\n",
        "FILE:2: character 4 of the line is a carriage return without a line feed. If lines end in those, convert "
            + "them, with tr '\\r' '\\n' for example"
    );
    for (String header : List.of("\"a\",b\r1,2\r", "\"a\",\"\"\r1,2\r", "\"\"\"\",b\r1,2\r")) {
      assertMessage(
          Format.CSV, header,
          "FILE:1: character " + (header.indexOf('\r') + 1) + " of the line is a carriage return without a line feed. "
              + "If lines end in those, convert them, with tr '\\r' '\\n' for example"
      );
    }
    assertMessage(
        Format.CSV, "a,b\n1,\"x\r\n\"\r2,y\r",
        "FILE:3: behind field 2 there is a carriage return without a line feed. If lines end in those, convert "
            + "them, with tr '\\r' '\\n' for example"
    );
    assertRows(Format.CSV, "\"a\rb\",c\n1,2\n", row("a\rb", "1", "c", "2"));
    assertMessage(
        Format.CSV, "a,b\n1,\"x\n2,\"y\n",
        "FILE:3: field 2 goes on behind the quote that closes it. A quote within quotes must be doubled"
    );
    assertMessage(
        Format.CSV, "a,b,a\n",
        "FILE:1: the header has the column 'a' twice. Rename one of them"
    );
    assertMessage(
        Format.CSV, "a,,b\n",
        "FILE:1: column 2 of the header has no name. Give it one, or name all columns with --columns if the first line "
            + "is no header"
    );
    assertMessage(Format.CSV, "", "FILE:1: the file is empty. It needs a header and at least one row");
    assertMessage(
        Format.JSON, "{\"a\": 1e400}",
        "FILE:1: the number in column 'a' is too large for a double. Write it as a string"
    );
    assertMessage(Format.JSON, "{\"\": 1}", "FILE:1: a key is empty. Columns must have names");
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
      "{\"a\": }|Unexpected character ('}' (code 125)), at character 7",
      "nothing|Unrecognized token 'nothing', at character 8",
      "{\"a\": NaN}|Non-standard token 'NaN', at character 10",
      "{|Unexpected end-of-input, at character 2",
      "{\"a\": [1}|Unexpected close marker '}', at character 9",
      "{\"a\": \"x|Unexpected end-of-input, at character 9",
      "{\"a\": 1, \"a\": 2}|Duplicate field 'a', at character 13",
      "{\"a: b\": 1, \"a: b\": 2}|Duplicate field 'a: b', at character 19"
  })
  void malformedJsonIsToldInTheFirstSentence(String line, String found) throws IOException {
    assertMessage(
        Format.JSON, "{\"a\": 1}\n" + line + "\n",
        "FILE:2: the line is no JSON object: " + found + ONE_OBJECT
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {"[1]", "null", "5", "{} {}"})
  void whatIsJsonButNoObjectIsRefused(String line) throws IOException {
    assertMessage(Format.JSON, line, "FILE:1: the line is no JSON object" + ONE_OBJECT);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "9223372036854775808", "-9223372036854775809", "12345678901234567890", "10000000000000000000",
      "18446744073709551616"
  })
  void jsonNumbersMayBeLargerThanALong(String number) throws IOException {
    assertRows(Format.JSON, "{\"a\": " + number + "}", row("a", new BigInteger(number)));
  }

  @Test
  void emptyLinesAreSkipped() throws IOException {
    assertRows(Format.CSV, "a,b\n\n1,2\r\n\r\n\"\n\n\",\n\n", row("a", "1", "b", "2"), row("a", "\n\n", "b", null));
    assertRows(Format.TSV, "a\tb\n\n1\t2\n\t\n\n", row("a", "1", "b", "2"), row("a", null, "b", null));
    assertMessage(
        Format.CSV, "a,b\n \n",
        "FILE:2: found 1 field where there are 2 columns. If another character than ',' is between values, name it "
            + "with --delimiter"
    );
  }

  @Test
  void malformedUtf8IsRefused() throws IOException {
    final Path file = Files.write(directory.resolve("t"), "a,b\n1,\u00FC\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        file + ":2: byte 3 of the line is not UTF-8. Convert the file to UTF-8, with iconv for example",
        assertThrows(ToolException.class, () -> read(new InputTable(file, Format.CSV, null, null))).getMessage()
    );
  }

  private void assertMessage(Format format, String text, String message) throws IOException {
    final Path file = Files.writeString(directory.resolve("t"), text);
    final InputTable table = new InputTable(file, format, null, null);
    assertEquals(
        message.replace("FILE", file.toString()),
        assertThrows(ToolException.class, () -> read(table)).getMessage()
    );
  }

  private void assertRows(Format format, String text, Map<?, ?>... rows) throws IOException {
    final Path file = Files.writeString(directory.resolve("t"), text);
    assertEquals(List.of(rows), read(new InputTable(file, format, null, null)));
  }

  private static List<Map<String, Object>> read(InputTable table) throws IOException {
    final List<Map<String, Object>> all = new ArrayList<>();
    try (RowReader rows = table.open()) {
      for (Map<String, Object> row = rows.next(); row != null; row = rows.next()) {
        all.add(row);
      }
    }
    return all;
  }

  private static Map<String, Object> row(Object... namesAndValues) {
    final Map<String, Object> row = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      @Nullable final Object value = namesAndValues[i + 1];
      row.put((String) namesAndValues[i], value);
    }
    return row;
  }
}
