// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.query.Query;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.search.SearchQuery;

/**
 * Native query in a JSON file, as Druid accepts it over HTTP. Its data source is replaced by each of those that are
 * compared.
 *
 * @param name  the file's, without {@code .json}
 * @param query what is in the file
 */
record NamedQuery(String name, Query<?> query) {
  private static final String JSON = ".json";
  private static final Pattern DRAWN = Pattern.compile("\"\\$\\{(\\d{1,9}) of (\\w+)}\"");
  /** Query types that the engines support. */
  private static final Set<String> TYPES =
      Set.of(Query.GROUP_BY, Query.TOPN, Query.TIMESERIES, Query.SCAN, Query.SEARCH);
  /** Druid ignores unknown properties: a misspelt filter would filter nothing. This reader refuses them. */
  private static final ObjectReader READER = Druid.json().readerFor(Query.class).with(
      DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
      DeserializationFeature.FAIL_ON_TRAILING_TOKENS
  );

  /** Supplies values of a column from the data. */
  @FunctionalInterface
  interface Values {
    /** Leaves placeholders as they are, for a check before there is data. */
    Values NONE = (column, count) -> List.of("$" + column);

    /**
     * Distinct values, the same at each call.
     *
     * @param count how many; all there are if these are fewer
     */
    List<String> draw(String column, int count);
  }

  /**
   * Reads queries from their files.
   *
   * @param directory of anybody's; null for those of the project
   * @param table     which of those of the project
   * @param only      only those in whose name this is found
   * @param values    replacement of {@code "${COUNT of COLUMN}"} in a query: some values of a column, with commas
   *                  between them
   * @throws ToolException if there are none, or a file is no query that can be measured
   */
  static List<NamedQuery> read(@Nullable Path directory, QueriedTable table, Pattern only, Values values) {
    final List<NamedQuery> queries = directory == null
        ? table.queries().stream()
            .filter(name -> only.matcher(name).find())
            .map(name -> ofProject(table, name, values))
            .toList()
        : files(directory).stream()
            .filter(file -> only.matcher(name(file)).find())
            .map(file -> ofFile(file, values))
            .toList();
    if (queries.isEmpty()) {
      throw new ToolException(
          directory == null ? only.pattern() : directory.toString(),
          "there is no such query",
          directory == null ? "There are " + String.join(", ", table.queries()) : "Put queries there, as NAME.json"
      );
    }
    return queries;
  }

  private static NamedQuery ofProject(QueriedTable table, String name, Values values) {
    final String file = table + "/" + name + JSON;
    try (InputStream in = Objects.requireNonNull(NamedQuery.class.getResourceAsStream(file))) {
      return new NamedQuery(name, parse(file, in.readAllBytes(), values));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(JSON)).sorted().toList();
    } catch (IOException e) {
      throw new ToolException(directory.toString(), "it cannot be listed: " + e, "Name a directory of queries", e);
    }
  }

  private static String name(Path file) {
    final String name = file.getFileName().toString();
    return name.substring(0, name.length() - JSON.length());
  }

  private static NamedQuery ofFile(Path file, Values values) {
    try {
      return new NamedQuery(name(file), parse(file.toString(), Files.readAllBytes(file), values));
    } catch (IOException e) {
      throw new ToolException(file.toString(), "it cannot be read: " + e, "", e);
    }
  }

  private static Query<?> parse(String file, byte[] json, Values values) throws IOException {
    @Nullable final Query<?> query;
    try {
      query = READER.readValue(withValues(new String(json, StandardCharsets.UTF_8), values));
    } catch (JacksonException e) {
      @Nullable final JsonLocation at = e.getLocation();
      throw new ToolException(
          file + (at == null || at.getLineNr() < 1 ? "" : ", line " + at.getLineNr()),
          "this is no native query: " + e.getOriginalMessage().lines().findFirst().orElse(""),
          "See Druid's documentation of native queries",
          e
      );
    }
    if (query == null || !TYPES.contains(query.getType())) {
      throw new ToolException(
          file,
          "this is no query of " + String.join(", ", new TreeSet<>(TYPES)),
          "Others cannot be measured here"
      );
    }
    if (!(query.getDataSource() instanceof TableDataSource)) {
      throw new ToolException(file, "its data source is no table", "Joins and queries of queries cannot be measured");
    }
    return query;
  }

  /** Replaces the placeholders in a query by values from the data. */
  private static String withValues(String json, Values values) {
    return DRAWN.matcher(json).replaceAll(drawn -> Matcher.quoteReplacement(
        values.draw(drawn.group(2), Integer.parseInt(drawn.group(1))).stream()
            .map(value -> '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(value)) + '"')
            .collect(Collectors.joining(","))
    ));
  }

  /**
   * Checks that all columns exist, because Druid treats a missing column as one of nulls.
   *
   * @param columns the columns of the data source
   * @throws ToolException if one is missing
   */
  void check(Collection<String> columns) {
    final Set<String> missing = new TreeSet<>(required());
    missing.removeAll(columns);
    missing.removeIf(query.getVirtualColumns()::exists);
    if (!missing.isEmpty()) {
      throw new ToolException(
          "query " + name,
          "there is no column " + String.join(", ", missing),
          "There are " + String.join(", ", columns)
      );
    }
  }

  private List<String> required() {
    final List<String> required = new ArrayList<>();
    if (query.getRequiredColumns() != null) {
      required.addAll(query.getRequiredColumns());
    }
    if (query.getFilter() != null) {
      required.addAll(query.getFilter().getRequiredColumns());
    }
    if (query instanceof SearchQuery search) {
      search.getDimensions().forEach(dimension -> required.add(dimension.getDimension()));
    }
    return required;
  }
}
