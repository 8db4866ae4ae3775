// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Sets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.error.InvalidInput;

/**
 * What an indexSpec requests of this extension. The first of these that has a strategy for a column's type decides: the
 * column's entry, the table, the column's entry in the system's default, the system's default.
 *
 * @param ofTable strategies of all columns
 * @param ofColumns {@code columns}: options of single columns, by name of the column in the table
 * @param later unknown properties of segments that a later release wrote, as parsed JSON. A spec that has them equals
 *     no spec that can be requested
 */
public record EncodingStrategies(
    TypeStrategies ofTable,
    Map<String, ColumnOptions> ofColumns,
    Map<String, Object> later
) {
  /** Name of the property with the options of single columns. */
  static final String COLUMNS = "columns";

  /** Names of all properties of this extension in an indexSpec. */
  public static final Set<String> PROPERTIES = properties();

  /** Empty request. */
  static final EncodingStrategies NONE = new EncodingStrategies(TypeStrategies.NONE, Map.of());

  /** Copies the maps. */
  public EncodingStrategies {
    ofColumns = ImmutableSortedMap.copyOf(ofColumns);
    later = ImmutableSortedMap.copyOf(later);
  }

  private EncodingStrategies(TypeStrategies ofTable, Map<String, ColumnOptions> ofColumns) {
    this(ofTable, ofColumns, Map.of());
  }

  /**
   * Strategies without options of single columns.
   *
   * @param general for all types without a specific strategy, or null
   */
  public EncodingStrategies(@Nullable EncodingStrategy general, Map<EncodedType, EncodingStrategy> specific) {
    this(new TypeStrategies(general, specific), Map.of());
  }

  /** Copy with other options of single columns. */
  public EncodingStrategies withColumns(Map<String, ColumnOptions> columns) {
    return new EncodingStrategies(ofTable, columns, later);
  }

  /** Copy with properties of a later release. */
  EncodingStrategies withLater(Map<String, Object> properties) {
    return new EncodingStrategies(ofTable, ofColumns, properties);
  }

  private static Set<String> properties() {
    final Set<String> properties = new LinkedHashSet<>(TypeStrategies.PROPERTIES);
    properties.add(COLUMNS);
    return properties;
  }

  /** Whether an unknown property has a name that a later release could give to the strategy of a new type. */
  static boolean isLikeOurs(String property) {
    return property.endsWith("EncodingStrategy");
  }

  /**
   * Reads the properties of an indexSpec. Inverse of {@link #toJson}.
   *
   * @throws org.apache.druid.error.DruidException if a property has an invalid value
   */
  static EncodingStrategies fromJson(Map<String, Object> properties) {
    final TypeStrategies ofTable = TypeStrategies.fromJson("", properties);
    @Nullable final Object columns = properties.get(COLUMNS);
    return new EncodingStrategies(ofTable, columns == null ? Map.of() : columnsFromJson(columns));
  }

  private static Map<String, ColumnOptions> columnsFromJson(Object columns) {
    if (!(columns instanceof Map<?, ?> json)) {
      throw InvalidInput.exception(
          "%s[%s] must be an object with the names of columns, each with an object of its options", COLUMNS, columns);
    }
    final Map<String, ColumnOptions> entries = new LinkedHashMap<>();
    json.forEach((name, entry) -> {
      if (name.equals("")) {
        throw InvalidInput.exception("%s has an entry for a column without a name", COLUMNS);
      }
      if (entry != null) {
        entries.put((String) name, ColumnOptions.fromJson(COLUMNS + "." + name, entry));
      }
    });
    return entries;
  }

  /** The given properties only, without defaults. */
  Map<String, Object> toJson() {
    final Map<String, Object> properties = ofTable.toJson();
    if (!ofColumns.isEmpty()) {
      final Map<String, Object> entries = new LinkedHashMap<>();
      ofColumns.forEach((column, options) -> entries.put(column, options.toJson()));
      properties.put(COLUMNS, entries);
    }
    properties.putAll(later);
    return properties;
  }

  /** Strategy requested for a type of a column, or null if there is none. */
  @Nullable
  EncodingStrategy get(String column, EncodedType type) {
    @Nullable final ColumnOptions options = ofColumns.get(column);
    @Nullable final EncodingStrategy own = options == null ? null : options.strategies().get(type);
    return own == null ? ofTable.get(type) : own;
  }

  /** Whether a hash index is requested for a column. */
  boolean hasHashIndex(String column) {
    @Nullable final ColumnOptions options = ofColumns.get(column);
    return options != null && options.hasHashIndex();
  }

  /** Whether a text index is requested for a column. */
  boolean hasTextIndex(String column) {
    @Nullable final ColumnOptions options = ofColumns.get(column);
    return options != null && options.hasTextIndex();
  }

  /** Whether stock columns are requested for all of some types of a column, so that it cannot have their index. */
  boolean preventsIndex(String column, Set<EncodedType> types) {
    return types.stream()
        .map(type -> get(column, type))
        .allMatch(strategy -> strategy != null && !strategy.isShapeShift());
  }

  /** Whether shape-shifting is requested for a type, of all columns or of some. */
  private boolean shapeShifts(EncodedType type) {
    return ofTable.shapeShifts(type)
        || ofColumns.values().stream().anyMatch(options -> options.strategies().shapeShifts(type));
  }

  /** Whether shape-shifting is requested for any type of any column. */
  boolean shapeShifts() {
    return Arrays.stream(EncodedType.values()).anyMatch(this::shapeShifts);
  }

  /**
   * Fills in the system's default and normalizes, so that specs that write the same bytes are equal. The result has:
   *
   * <ul>
   * <li>the general property if all types have the same strategy, otherwise only specific ones,
   * <li>of the table {@code compression} only for a type that the system's default shape-shifts in some column,
   * <li>of a column only what differs from the table,
   * <li>a {@code blockSize} only for types that have blocks,
   * <li>a hash index only where numbers shape-shift, and {@code false} only if the system's default has one,
   * <li>a text index likewise, only where dictionaries or nested columns shape-shift.
   * </ul>
   *
   * <p>Options of a later release are kept, because no requested spec may equal them.
   */
  EncodingStrategies effective(EncodingStrategies systemDefault) {
    if (!later.isEmpty()) {
      return this;
    }
    final Map<EncodedType, EncodingStrategy> table = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      final EncodingStrategy strategy = firstOf(ofTable.get(type), systemDefault.ofTable.get(type)).of(type);
      if (strategy.isShapeShift() || systemDefault.shapeShifts(type)) {
        table.put(type, strategy);
      }
    }
    final Map<String, ColumnOptions> columns = new TreeMap<>();
    for (String column : Sets.union(ofColumns.keySet(), systemDefault.ofColumns.keySet())) {
      final ColumnOptions options = effective(column, table, systemDefault);
      if (!options.equals(ColumnOptions.NONE)) {
        columns.put(column, options);
      }
    }
    return new EncodingStrategies(TypeStrategies.of(table), columns);
  }

  /** What differs for a column from an effective table. */
  private ColumnOptions effective(
      String column,
      Map<EncodedType, EncodingStrategy> table,
      EncodingStrategies systemDefault
  ) {
    final Map<EncodedType, EncodingStrategy> differing = new EnumMap<>(EncodedType.class);
    boolean numbersShapeShift = false;
    boolean textsShapeShift = false;
    for (EncodedType type : EncodedType.values()) {
      final EncodingStrategy strategy = firstOf(get(column, type), systemDefault.get(column, type)).of(type);
      if (!strategy.equals(table.getOrDefault(type, EncodingStrategy.COMPRESSION))) {
        differing.put(type, strategy);
      }
      if (EncodedType.OF_NUMBERS.contains(type) && strategy.isShapeShift()) {
        numbersShapeShift = true;
      }
      if (EncodedType.OF_TEXTS.contains(type) && strategy.isShapeShift()) {
        textsShapeShift = true;
      }
    }
    final ColumnOptions options = ofColumns.getOrDefault(column, ColumnOptions.NONE);
    return new ColumnOptions(
        TypeStrategies.of(differing),
        numbersShapeShift ? effectiveIndex(options.hashIndex(), systemDefault.hasHashIndex(column)) : null,
        textsShapeShift ? effectiveIndex(options.textIndex(), systemDefault.hasTextIndex(column)) : null
    );
  }

  @Nullable
  private static Boolean effectiveIndex(@Nullable Boolean own, boolean ofDefault) {
    final Boolean isAsked = own == null ? ofDefault : own;
    return (isAsked || ofDefault) ? isAsked : null;
  }

  private static EncodingStrategy firstOf(@Nullable EncodingStrategy own, @Nullable EncodingStrategy ofDefault) {
    if (own != null) {
      return own;
    }
    return ofDefault == null ? EncodingStrategy.COMPRESSION : ofDefault;
  }

  /**
   * Fills in {@code compression} for all types without a strategy, and no hash index and no text index for the columns
   * that have one by the system's default only.
   */
  EncodingStrategies orCompression(EncodingStrategies systemDefault) {
    final Map<String, ColumnOptions> columns = new TreeMap<>(ofColumns);
    systemDefault.ofColumns.forEach((column, options) -> {
      final ColumnOptions own = ofColumns.getOrDefault(column, ColumnOptions.NONE);
      final ColumnOptions written = new ColumnOptions(
          own.strategies(),
          writtenIndex(own.hashIndex(), options.hasHashIndex()),
          writtenIndex(own.textIndex(), options.hasTextIndex())
      );
      if (!written.equals(own)) {
        columns.put(column, written);
      }
    });
    return new EncodingStrategies(
        new TypeStrategies(firstOf(ofTable.general(), null), ofTable.specific()), columns, later);
  }

  @Nullable
  private static Boolean writtenIndex(@Nullable Boolean own, boolean ofDefault) {
    return (ofDefault && own == null) ? Boolean.FALSE : own;
  }
}
