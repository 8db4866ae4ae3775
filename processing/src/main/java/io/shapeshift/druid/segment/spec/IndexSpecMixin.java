// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.error.InvalidInput;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.StringColumnFormatSpec;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.loading.SegmentizerFactory;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;

/** Makes Jackson read {@link EncodingStrategies} wherever Druid reads an {@link IndexSpec}. */
@JsonDeserialize(converter = IndexSpecMixin.FromJson.class)
public abstract class IndexSpecMixin {
  private static final Logger LOG = new Logger(IndexSpecMixin.class);
  private static final int MAX_UNKNOWN = 100;
  /** What was told of: names of properties, and options of segments with their values. */
  static final Set<String> UNKNOWN = ConcurrentHashMap.newKeySet();

  private IndexSpecMixin() {}

  /** All properties of an indexSpec: those of Druid 37, which the creator takes, and ours. */
  static final class Json {
    private final IndexSpec base;
    /** Our properties, untyped: a type's own creator would not know which one it reads. */
    private final Map<String, Object> ours = new HashMap<>();

    @JsonCreator
    Json(
        @JsonProperty("bitmap") @Nullable BitmapSerdeFactory bitmap,
        @JsonProperty("metadataCompression") @Nullable CompressionStrategy metadataCompression,
        @JsonProperty("dimensionCompression") @Nullable CompressionStrategy dimensionCompression,
        @JsonProperty("stringDictionaryEncoding") @Nullable StringEncodingStrategy stringDictionaryEncoding,
        @JsonProperty("metricCompression") @Nullable CompressionStrategy metricCompression,
        @JsonProperty("longEncoding") @Nullable CompressionFactory.LongEncodingStrategy longEncoding,
        @JsonProperty("complexMetricCompression") @Nullable CompressionStrategy complexMetricCompression,
        @JsonProperty("jsonCompression") @Nullable CompressionStrategy jsonCompression,
        @JsonProperty("segmentLoader") @Nullable SegmentizerFactory segmentLoader,
        @JsonProperty("autoColumnFormatSpec") @Nullable NestedCommonFormatColumnFormatSpec autoColumnFormatSpec,
        @JsonProperty("stringColumnFormatSpec") @Nullable StringColumnFormatSpec stringColumnFormatSpec
    ) {
      this.base = new IndexSpec(
          bitmap,
          metadataCompression,
          dimensionCompression,
          stringDictionaryEncoding,
          metricCompression,
          longEncoding,
          complexMetricCompression,
          jsonCompression,
          segmentLoader,
          autoColumnFormatSpec,
          stringColumnFormatSpec
      );
    }

    /** Takes our properties, and passes over those that nobody knows, as Druid does, but says so. */
    @JsonAnySetter
    void set(String property, @Nullable Object value) {
      if (!property.equals(EncodingStrategies.HASH_INDEXES) && !EncodingStrategies.PROPERTIES.contains(property)) {
        warnOnce(
            property,
            "An indexSpec has the property[%s], which Druid 37 and druid-shapeshift do not know. It changes nothing; of"
                + " druid-shapeshift there are %s and [%s]",
            property,
            EncodingStrategies.PROPERTIES,
            EncodingStrategies.HASH_INDEXES
        );
      } else if (value != null) {
        ours.put(property, value);
      }
    }

    /** Once in a process: it reads a spec many times. */
    private static void warnOnce(String what, String message, Object... arguments) {
      if (UNKNOWN.size() < MAX_UNKNOWN && UNKNOWN.add(what)) {
        LOG.warn(message, arguments);
      }
    }

    /**
     * What our properties ask for.
     *
     * @throws org.apache.druid.error.DruidException for what is not known
     */
    EncodingStrategies asked() {
      @Nullable final Object hashIndexes = ours.get(EncodingStrategies.HASH_INDEXES);
      return strategies(EncodingStrategy::fromJson)
          .withHashIndexes(hashIndexes == null ? null : columns(EncodingStrategies.HASH_INDEXES, hashIndexes));
    }

    /**
     * What our properties say that segments were written by. Here nothing is refused: it may be of a later release, and
     * Druid passes over a segment that it cannot read the state of, as if it were not there.
     */
    EncodingStrategies written() {
      @Nullable final Object hashIndexes = ours.get(EncodingStrategies.HASH_INDEXES);
      return strategies(Json::written)
          .withHashIndexes(isNames(hashIndexes) ? columns(EncodingStrategies.HASH_INDEXES, hashIndexes) : null);
    }

    private static EncodingStrategy written(String property, Object value) {
      final EncodingStrategy strategy = EncodingStrategy.fromWritten(property, value);
      if (strategy.isOfLaterRelease()) {
        warnOnce(
            property + value,
            "There are segments that a later druid-shapeshift wrote, with \"%s\": %s, which this one does not know. It"
                + " serves them if it knows all that is in them; automatic compaction takes them for written by another"
                + " option than any",
            property,
            value
        );
      }
      return strategy;
    }

    private EncodingStrategies strategies(BiFunction<String, Object, EncodingStrategy> reader) {
      final Map<String, EncodingStrategy> strategies = new HashMap<>();
      ours.forEach((property, value) -> {
        if (EncodingStrategies.PROPERTIES.contains(property)) {
          strategies.put(property, reader.apply(property, value));
        }
      });
      return EncodingStrategies.fromJson(strategies);
    }

    private static boolean isNames(@Nullable Object value) {
      return value instanceof Collection<?> names
          && names.stream().allMatch(name -> name instanceof String text && !text.isEmpty());
    }

    private static Set<String> columns(String property, Object value) {
      if (!isNames(value)) {
        throw InvalidInput.exception("%s[%s] must be a list of names of columns", property, value);
      }
      return ((Collection<?>) value).stream().map(String.class::cast).collect(Collectors.toUnmodifiableSet());
    }

    /** Where columns are named to have an index, but cannot, the spec says two things of them. */
    private static void checkHashIndexes(EncodingStrategies asked) {
      @Nullable final Set<String> hashIndexes = asked.hashIndexes();
      if (hashIndexes != null && asked.prevents(hashIndexes)) {
        throw InvalidInput.exception(
            "The indexSpec asks for \"%s\" of columns %s, and for numbers of all types that are Druid's own, which have"
                + " none. Remove one of the two, or let longs, doubles or floats shape-shift",
            EncodingStrategies.HASH_INDEXES,
            hashIndexes
        );
      }
    }

    /**
     * Where all that can shape-shift is asked to, Druid's option is of the dictionaries that cannot. Where those of
     * strings are named, the spec says two things of them.
     */
    private void checkDictionaries(EncodingStrategies asked) {
      final String property = EncodedType.DICTIONARY.property();
      @Nullable final EncodingStrategy dictionaries = asked.specific().get(EncodedType.DICTIONARY);
      if (dictionaries == null || !dictionaries.isShapeShift()) {
        return;
      }
      checkDictionaries(property, base.getStringDictionaryEncoding());
      if (base.getAutoColumnFormatSpec() != null) {
        checkDictionaries(property, base.getAutoColumnFormatSpec().getStringDictionaryEncoding());
      }
    }

    private static void checkDictionaries(String property, @Nullable StringEncodingStrategy druids) {
      if (druids != null && !StringEncodingStrategy.UTF8.equals(druids.getType())) {
        throw InvalidInput.exception(
            "The indexSpec asks for dictionaries of strings that shape-shift, by \"%s\", and for"
                + " \"stringDictionaryEncoding\" of type[%s]. Remove one of the two; with \"encodingStrategy\" in the"
                + " place of the first, the second is of dictionaries that do not shape-shift",
            property,
            druids.getType()
        );
      }
    }
  }

  /** Makes a spec by which segments are to be written. */
  static final class FromJson extends StdConverter<Json, IndexSpec> {
    @Override
    public IndexSpec convert(Json json) {
      final EncodingStrategies asked = json.asked();
      json.checkDictionaries(asked);
      Json.checkHashIndexes(asked);
      return ShapeShiftIndexSpec.of(json.base, asked);
    }
  }

  /** Makes a spec by which segments were written. */
  static final class FromWritten extends StdConverter<Json, IndexSpec> {
    @Override
    public IndexSpec convert(Json json) {
      return ShapeShiftIndexSpec.ofWritten(json.base, json.written());
    }
  }
}
