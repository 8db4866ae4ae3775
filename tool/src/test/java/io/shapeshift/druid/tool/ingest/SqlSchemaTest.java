// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlSchemaTest {
  private static final String ONE_TABLE = ". The file must have one statement: CREATE TABLE name (column type, ...)";

  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "smallint; LONG", "INTEGER; LONG", "bigint NOT NULL; LONG", "decimal(1, 0); LONG", "decimal(18,0) not null; LONG",
      "NUMERIC( 9 ); LONG", "decimal(19, 0); DOUBLE", "decimal(4, 1); DOUBLE", "decimal(15, 10); DOUBLE",
      "decimal; DOUBLE", "double; DOUBLE", "double precision NOT NULL; DOUBLE", "float; DOUBLE", "real; FLOAT",
      "varchar(160); STRING", "character varying(2) DEFAULT ',)'; STRING", "char(1); STRING", "text; STRING",
      "boolean; STRING", "date; STRING", "time; STRING", "timestamp; STRING",
      "timestamp(3) with time zone; STRING", "int CHECK (a IN (1, (2))); LONG"
  })
  void typesAreThoseOfDruid(String sql, FieldType type) throws IOException {
    assertEquals(
        Map.of("a", type, "b", FieldType.STRING), read("CREATE TABLE t(a " + sql + ", b varchar(1))"), sql);
  }

  @Test
  void namesAndCommentsAreThoseOfSql() throws IOException {
    final Map<String, FieldType> columns = read("""
        -- a table, "made" (up);
        /* of
           several lines */
        CREATE TABLE IF NOT EXISTS "s"."My (table)" (
          "a, b" int, -- one
          "say ""hi"" x" int,
          "nom da sit (é) "int,
          _c1 int /* no comma, here */
        ) WITH (x = 1);

        -- the end
        """);
    assertEquals(List.of("a, b", "say \"hi\" x", "nom da sit (é) ", "_c1"), List.copyOf(columns.keySet()));
  }

  @Test
  void schemasMayBeLong() throws IOException {
    final StringBuilder text = new StringBuilder("-- comment\n\n".repeat(20_000) + "CREATE TABLE t (");
    for (int i = 0; i < 5000; i++) {
      text.append("\"c\"\"").append(i).append("\" int,");
    }
    assertEquals(5001, read(text + "\"" + "\"\"".repeat(20_000) + "\" int)").size());
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
      "``; FILE:1: found the end where there must be 'CREATE'",
      "DROP TABLE t; FILE:1: found 'DROP' where there must be 'CREATE'",
      "CREATE VIEW t; FILE:1: found the end where there must be 'TABLE'",
      "CREATE TABLE t(); FILE:1: found ')' where there must be the name of a column",
      "CREATE TABLE t(a int,|); FILE:2: found ')' where there must be the name of a column",
      "CREATE TABLE t(a int|\"b int); FILE:2: found '\"' where there must be ',' or ')'",
      "CREATE TABLE t(a int|\"b\" int); FILE:2: found '\"b\"' where there must be ',' or ')'",
      "CREATE TABLE t(a int; FILE:1: found the end where there must be ')'",
      "CREATE TABLE t(|'a' int); FILE:2: found ''a'' where there must be the name of a column",
      "CREATE TABLE t(a int)!|CREATE TABLE u(a int)!; FILE:2: found 'CREATE' where there must be the end of the file",
  })
  void otherStatementsAreRefused(String text, String message) {
    assertMessage(text.replace('!', ';'), message + ONE_TABLE);
  }

  @Test
  void wrongColumnsAreNamed() {
    assertMessage(
        "CREATE TABLE t(|a int,|b blob(3)|)",
        "FILE:3: 'blob' of column 'b' is no known type. Known are tinyint, smallint, int, integer, bigint, decimal, "
            + "numeric, double, float, real, char, character, varchar, text, boolean, date, time, timestamp; varchar "
            + "keeps any text"
    );
    assertMessage(
        "CREATE TABLE t(|\"a\" int,|a int|)", "FILE:3: the table has the column 'a' twice. Rename one of them");
  }

  private void assertMessage(String text, String message) {
    assertEquals(
        message.replace("FILE", directory.resolve("t.sql").toString()),
        assertThrows(ToolException.class, () -> read(text.replace('|', '\n'))).getMessage()
    );
  }

  private Map<String, FieldType> read(String text) throws IOException {
    return SqlSchema.read(Files.writeString(directory.resolve("t.sql"), text));
  }
}
