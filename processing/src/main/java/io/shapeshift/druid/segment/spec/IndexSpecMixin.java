// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
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

/** Jackson mixin that reads {@link EncodingStrategies} wherever Druid reads an {@link IndexSpec}. */
@JsonDeserialize(converter = IndexSpecMixin.FromJson.class)
public abstract class IndexSpecMixin {
  private static final Logger LOG = new Logger(IndexSpecMixin.class);
  private static final int MAX_UNKNOWN = 100;
  /** Warnings that were already logged. Each is the name of a property, or an option of a segment with its value. */
  static final Set<String> UNKNOWN = ConcurrentHashMap.newKeySet();

  private IndexSpecMixin() {}

  /**
   * All properties of an indexSpec: Druid 37's, which are constructor parameters, the extension's, and unknown ones.
   */
  static final class Json {
    private final IndexSpec base;
    /** The extension's properties, untyped, because a typed creator would not know which property it reads. */
    private final Map<String, Object> ours = new HashMap<>();
    /** Properties that neither Druid nor the extension knows. */
    private final Map<String, Object> unknown = new HashMap<>();

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

    /** Collects properties that are not Druid's. */
    @JsonAnySetter
    void set(String property, @Nullable Object value) {
      if (value != null) {
        (EncodingStrategies.PROPERTIES.contains(property) ? ours : unknown).put(property, value);
      }
    }

    /** Logs a warning once per process, because the same spec is read many times. */
    private static void warnOnce(String what, String message, Object... arguments) {
      if (UNKNOWN.size() < MAX_UNKNOWN && UNKNOWN.add(what)) {
        LOG.warn(message, arguments);
      }
    }

    /**
     * Strategies that the properties request. Unknown properties are ignored, as in stock Druid, but a warning is
     * logged.
     *
     * @throws org.apache.druid.error.DruidException if a property is invalid
     */
    EncodingStrategies asked() {
      for (String property : unknown.keySet()) {
        warnOnce(
            property,
            "An indexSpec has the property[%s], which Druid 37 and druid-shapeshift do not know. It changes nothing; of"
                + " druid-shapeshift there are %s",
            property,
            EncodingStrategies.PROPERTIES
        );
      }
      return EncodingStrategies.fromJson(ours);
    }

    /**
     * Strategies by which existing segments were written. Nothing is rejected here, because a later release may have
     * written the segments. If their state could not be parsed, Druid would silently ignore the segments.
     */
    EncodingStrategies written() {
      final Map<String, Object> known = new HashMap<>();
      final Map<String, Object> later = new HashMap<>();
      ours.forEach((property, value) -> {
        try {
          EncodingStrategies.fromJson(Map.of(property, value));
          known.put(property, value);
        } catch (DruidException e) {
          later.put(property, value);
        }
      });
      unknown.forEach((property, value) -> {
        if (!ours.isEmpty() || EncodingStrategies.isLikeOurs(property)) {
          later.put(property, value);
        }
      });
      later.forEach((property, value) -> warnOnce(
          property + value,
          "There are segments that a later druid-shapeshift wrote, with \"%s\": %s, which this one does not know. It"
              + " serves them if it knows all that is in them; automatic compaction rewrites them, because no"
              + " option matches them",
          property,
          value
      ));
      return EncodingStrategies.fromJson(known).withLater(later);
    }

    /**
     * Rejects hash indexes that the spec itself rules out. If the numbers of a column shape-shift neither by this spec
     * nor by this service's default, only a warning is logged: the default of another service may let them shape-shift.
     */
    private static void checkHashIndexes(EncodingStrategies asked) {
      final EncodingStrategies effective = asked.effective(ShapeShiftIndexSpec.systemDefault());
      asked.ofColumns().forEach((column, options) -> {
        if (options.hasHashIndex() && asked.preventsIndex(column, EncodedType.OF_NUMBERS)) {
          throw InvalidInput.exception(
              "The indexSpec asks for a hash index of column[%s], and for Druid's own longs, doubles and floats, which"
                  + " have none. Remove \"hashIndex\" from the column's entry, or let its type shape-shift",
              column
          );
        }
        if (options.hasHashIndex() && !effective.hasHashIndex(column)) {
          warnOnce(
              column + options,
              "An indexSpec asks for a hash index of column[%s], but neither it nor druid.indexing.formats.indexSpec"
                  + " lets the column's longs, doubles or floats shape-shift. Without that it gets no index",
              column
          );
        }
      });
    }

    /** Rejects text indexes that the spec itself rules out, as {@link #checkHashIndexes} does. */
    private static void checkTextIndexes(EncodingStrategies asked) {
      final EncodingStrategies effective = asked.effective(ShapeShiftIndexSpec.systemDefault());
      asked.ofColumns().forEach((column, options) -> {
        if (options.hasTextIndex() && asked.preventsIndex(column, EncodedType.OF_TEXTS)) {
          throw InvalidInput.exception(
              "The indexSpec asks for a text index of column[%s], and for Druid's own dictionaries and nested columns,"
                  + " which have none. Remove \"textIndex\" from the column's entry, or let its dictionary shape-shift",
              column
          );
        }
        if (options.hasTextIndex() && !effective.hasTextIndex(column)) {
          warnOnce(
              column + options,
              "An indexSpec asks for a text index of column[%s], but neither it nor druid.indexing.formats.indexSpec"
                  + " lets the column's dictionary or nested values shape-shift. Without that it gets no index",
              column
          );
        }
      });
    }

    /**
     * Rejects a spec that names two encodings for string dictionaries. Under the general {@code encodingStrategy},
     * Druid's {@code stringDictionaryEncoding} is allowed: it applies to the dictionaries that cannot shape-shift.
     * Beside the entries of single columns it is allowed too.
     */
    private void checkDictionaries(EncodingStrategies asked) {
      final String property = EncodedType.DICTIONARY.property();
      @Nullable final EncodingStrategy dictionaries = asked.ofTable().specific().get(EncodedType.DICTIONARY);
      if (dictionaries == null || !dictionaries.isShapeShift()) {
        return;
      }
      checkDictionaries(property, base.getStringDictionaryEncoding());
      if (base.getAutoColumnFormatSpec() != null) {
        checkDictionaries(property, base.getAutoColumnFormatSpec().getStringDictionaryEncoding());
      }
    }

    private static void checkDictionaries(String property, @Nullable StringEncodingStrategy stock) {
      if (stock != null && !StringEncodingStrategy.UTF8.equals(stock.getType())) {
        throw InvalidInput.exception(
            "The indexSpec asks for dictionaries of strings that shape-shift, by \"%s\", and for"
                + " \"stringDictionaryEncoding\" of type[%s]. Remove one of the two; \"encodingStrategy\" in the place"
                + " of the first leaves dictionaries to the second",
            property,
            stock.getType()
        );
      }
    }
  }

  /** Converts to a spec for segments to be written. */
  static final class FromJson extends StdConverter<Json, IndexSpec> {
    @Override
    public IndexSpec convert(Json json) {
      final EncodingStrategies asked = json.asked();
      json.checkDictionaries(asked);
      Json.checkHashIndexes(asked);
      Json.checkTextIndexes(asked);
      return ShapeShiftIndexSpec.of(json.base, asked);
    }
  }

  /** Converts to the spec by which existing segments were written. */
  static final class FromWritten extends StdConverter<Json, IndexSpec> {
    @Override
    public IndexSpec convert(Json json) {
      return ShapeShiftIndexSpec.ofWritten(json.base, json.written());
    }
  }
}
