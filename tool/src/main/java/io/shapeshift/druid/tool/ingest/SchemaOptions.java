// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.inject.ConfigurationException;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.segment.Druid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.aggregation.SingleValueAggregatorFactory;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.serde.ComplexMetrics;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options about the columns of the segment. */
final class SchemaOptions {
  @Nullable
  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = {
          "names and types of the columns of a file without a header: one CREATE TABLE in SQL, such as those of the "
              + "Public BI benchmark",
          "Integers, and decimals of at most 18 digits without a fraction, are long; other decimals, double and "
              + "float are double; real is float; varchar, boolean, date, time and timestamp are string, as "
              + "written. NOT NULL is not checked. --type names another type."
      }
  )
  private Path schema;

  @Nullable
  @Option(
      names = "--types",
      paramLabel = "HOW",
      description = {
          "infer: long, double or string for each column, and json for nested values; string: all columns are strings "
              + "(default: infer)",
          "A column of texts that are all numbers stays a string if one has leading zeros (007), a leading +, an "
              + "exponent without a decimal point (12e5) or more digits than the number holds, or if two different "
              + "texts are the same number (1.1 and 1.10). With more than " + NumberTexts.MAX_REMEMBERED + " different "
              + "numbers, or " + NumberTexts.Memory.MAX_NUMBERS + " in all columns together, it also stays a string "
              + "unless all texts have as many decimals, or none of them ends in a 0 behind the decimal point, or all "
              + "have a point and end in a 0 only right behind it."
      }
  )
  private Types types;

  @Option(
      names = "--type",
      converter = TypeConverter.class,
      paramLabel = "COLUMN=TYPE",
      description = "type of one column: string, long, float, double, auto or json, as in Druid's dimensions; "
          + "repeatable. In CSV and TSV, values of json are parsed."
  )
  private List<TypeOf> overrides = new ArrayList<>();

  @Option(
      names = "--metric",
      converter = MetricConverter.class,
      paramLabel = "METRIC",
      description = "'NAME=TYPE:COLUMN', such as revenue=doubleSum:price, for any aggregator of Druid's core that can "
          + "be stored and has nothing but a fieldName; 'count', or 'NAME=count'; or the JSON of any aggregator "
          + "of Druid's core; repeatable. A column that a metric reads is no dimension, unless --type names it."
  )
  private List<AggregatorFactory> metrics = new ArrayList<>();

  @Option(
      names = "--rollup",
      description = "combine rows with the same time and dimensions, and aggregate their metrics"
  )
  private boolean rollup;

  @Option(
      names = "--query-granularity",
      defaultValue = "none",
      converter = GranularityConverter.class,
      paramLabel = "GRANULARITY",
      description = "granularity to which times are cut: none, second, minute, hour, day, ..., or the JSON of one of "
          + "Druid's granularities (default: none)"
  )
  private Granularity queryGranularity;

  @Option(
      names = "--projection",
      converter = ProjectionConverter.class,
      paramLabel = "JSON",
      description = "a projection, such as {\"type\": \"aggregate\", \"name\": ..., \"groupingColumns\": "
          + "[...], \"aggregators\": [...]}; repeatable"
  )
  private List<AggregateProjectionSpec> projections = new ArrayList<>();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Ways in which columns get their types. */
  private enum Types { STRING, INFER }

  private record TypeOf(String column, FieldType type) {}

  private static final class TypeConverter implements ITypeConverter<TypeOf> {
    @Override
    public TypeOf convert(String text) {
      final int equals = text.lastIndexOf('=');
      if (equals > 0) {
        for (FieldType type : FieldType.values()) {
          if (type.name().equalsIgnoreCase(text.substring(equals + 1))) {
            return new TypeOf(text.substring(0, equals), type);
          }
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not COLUMN=TYPE with one of the types string, long, float, double, auto and json"
      );
    }
  }

  private static final class MetricConverter implements ITypeConverter<AggregatorFactory> {
    @Override
    public AggregatorFactory convert(String text) {
      final AggregatorFactory metric =
          fromJson(text, text.startsWith("{") ? text : json(text), AggregatorFactory.class, "aggregator");
      requireReadable(text, metric::requiredFields);
      requireStorable(text, metric);
      return metric;
    }

    private static String json(String text) {
      final int equals = text.indexOf('=');
      final int colon = text.indexOf(':', equals + 1);
      final ObjectNode json = Druid.json().createObjectNode();
      json.put("name", equals < 0 ? text : text.substring(0, equals));
      json.put("type", text.substring(equals + 1, colon < 0 ? text.length() : colon));
      if (colon >= 0) {
        json.put("fieldName", text.substring(colon + 1));
      } else if (!json.get("type").asText().equals("count")) {
        throw new TypeConversionException(
            "'" + text + "' is not NAME=TYPE:COLUMN, nor count, nor the JSON of an aggregator"
        );
      }
      return json.toString();
    }
  }

  private static final class GranularityConverter implements ITypeConverter<Granularity> {
    @Override
    public Granularity convert(String text) {
      if (text.startsWith("{")) {
        return fromJson(text, text, Granularity.class, "granularity");
      }
      try {
        return Granularity.fromString(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text.toLowerCase(Locale.ROOT) + "' is no granularity of Druid's");
      }
    }
  }

  private static final class ProjectionConverter implements ITypeConverter<AggregateProjectionSpec> {
    @Override
    public AggregateProjectionSpec convert(String text) {
      final AggregateProjectionSpec projection = fromJson(text, text, AggregateProjectionSpec.class, "projection");
      if (projection.getFilter() != null) {
        requireReadable(text, projection.getFilter()::getRequiredColumns);
      }
      final Set<String> columns = new HashSet<>();
      Stream.concat(
          projection.getGroupingColumns().stream().map(DimensionSchema::getName),
          Arrays.stream(projection.getAggregators()).map(AggregatorFactory::getName)
      ).forEach(column -> {
        if (!columns.add(column)) {
          throw new TypeConversionException("'" + text + "' has the column '" + column + "' twice");
        }
      });
      for (AggregatorFactory aggregator : projection.getAggregators()) {
        requireReadable(text, aggregator::requiredFields);
        requireStorable(aggregator.getName(), aggregator);
      }
      return projection;
    }
  }

  /** Parses expressions early. Druid would parse them at their first use, and then throw any kind of exception. */
  private static void requireReadable(String given, Runnable use) {
    try {
      use.run();
    } catch (RuntimeException e) {
      throw new TypeConversionException(
          "'" + given + "' has an expression that Druid cannot read"
              + (e instanceof NullPointerException ? "" : ": " + e.getMessage())
      );
    }
  }

  /** Rejects aggregators that only queries have: Druid stores no column of their type. */
  private static void requireStorable(String given, AggregatorFactory metric) {
    if (metric instanceof FilteredAggregatorFactory filtered) {
      requireStorable(given, filtered.getAggregator());
      return;
    }
    @Nullable final ColumnType type = metric.getIntermediateType();
    if (metric instanceof SingleValueAggregatorFactory) {
      throw new TypeConversionException("'" + given + "' is an aggregator for subqueries alone");
    }
    if (type == null
        || (!type.isNumeric() && (!type.is(ValueType.COMPLEX) || !isRegistered(type.getComplexTypeName())))) {
      throw new TypeConversionException(
          "'" + given + "' is an aggregator for queries: Druid stores no metric of type "
              + (type == null ? "unknown" : type.asTypeString())
      );
    }
  }

  private static boolean isRegistered(@Nullable String complexType) {
    return complexType != null && ComplexMetrics.getSerdeForType(complexType) != null;
  }

  /**
   * Parses an object of Druid's.
   *
   * @param given value of the option, for messages
   */
  private static <T> T fromJson(String given, String json, Class<T> type, String what) {
    try {
      return Druid.json().readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new TypeConversionException(
          "'" + given + "' is no " + what + ": " + reason(e).lines().findFirst().orElse("")
      );
    }
  }

  private static String reason(JsonProcessingException e) {
    if (e instanceof InvalidTypeIdException unknown && unknown.getTypeId() != null) {
      return "the type '" + unknown.getTypeId() + "' is not one of Druid's core";
    }
    if (e instanceof InvalidDefinitionException) {
      return "Druid itself cannot read one from JSON";
    }
    @Nullable final Throwable cause = e.getCause();
    if (cause instanceof ConfigurationException) {
      return "it needs a running Druid service";
    }
    if (cause instanceof NullPointerException) {
      @Nullable final String missing = cause.getMessage();
      // Name of a property, or a sentence.
      return missing != null && missing.indexOf(' ') >= 0 ? missing : "it lacks " + missing;
    }
    return e instanceof ValueInstantiationException && cause != null && cause.getMessage() != null
           ? cause.getMessage()
           : Reason.ofJson(e);
  }

  /**
   * Schema that the options request. Contradictory options are rejected.
   *
   * @param ordered whether rows keep the order of the file
   * @param version version of the segment
   */
  SchemaSpec spec(boolean ordered, int version) {
    if (schema != null && types != null) {
      throw wrong("--schema has the types of all columns: leave out --types; --type names another type of one");
    }
    final SchemaSpec spec = new SchemaSpec(
        schema == null ? Map.of() : SqlSchema.read(schema),
        schema == null && types != Types.STRING,
        overrides(),
        metrics,
        rollup,
        queryGranularity,
        projections
    );
    final Stream<String> names = Stream.concat(
        metrics.stream().map(AggregatorFactory::getName),
        projections.stream().flatMap(projection -> Stream.of(
            Stream.of(projection.getName()),
            projection.getGroupingColumns().stream().map(DimensionSchema::getName),
            Arrays.stream(projection.getAggregators()).map(AggregatorFactory::getName)
        ).flatMap(Function.identity()))
    );
    names.filter(name -> !TableSchema.isStorable(name, version)).findFirst().ifPresent(name -> {
      throw wrong("The name '" + name.replaceAll("\\R", " ") + "' holds a comma or a line feed, which segments of "
          + "Druid's version 9 cannot store: rename it, or give --segment-version 10");
    });
    if (ordered && (rollup || !Granularities.NONE.equals(queryGranularity))) {
      throw wrong("--rollup and --query-granularity change the order of the file, which --no-timestamp keeps");
    }
    if (Granularities.ALL.equals(queryGranularity)) {
      throw wrong("--query-granularity all leaves no time to have: take year, or a period in JSON");
    }
    return spec;
  }

  private Map<String, FieldType> overrides() {
    final Map<String, FieldType> byColumn = new LinkedHashMap<>();
    for (TypeOf override : overrides) {
      if (byColumn.put(override.column, override.type) != null) {
        throw wrong("--type names the column '" + override.column + "' twice");
      }
    }
    return byColumn;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
