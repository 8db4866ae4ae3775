// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.shapeshift.druid.segment.TestSegments;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.IndexSpec;

/** The options of an indexSpec. */
enum IndexSpecTarget implements FuzzTarget {
  INDEX_SPEC;

  /** A spec that is read is written as JSON that means the same, and so is the one that is in effect. */
  @Override
  @Nullable
  public Object read(ByteBuffer input) throws JsonProcessingException {
    final String json = StandardCharsets.UTF_8.decode(input).toString();
    @Nullable final IndexSpec spec = TestSegments.JSON.readValue(json, IndexSpec.class);
    if (spec != null) {
      assertSameAgain(spec);
      assertSameAgain(spec.getEffectiveSpec());
    }
    return spec;
  }

  private static void assertSameAgain(IndexSpec spec) throws JsonProcessingException {
    assertEquals(spec, TestSegments.JSON.readValue(TestSegments.JSON.writeValueAsString(spec), IndexSpec.class));
  }

  @Override
  public boolean isRefusal(Exception e) {
    return e instanceof JsonProcessingException || e instanceof DruidException;
  }

  @Override
  public List<byte[]> seeds() {
    return Stream
        .of(
            "{\"encodingStrategy\": \"shapeshift\"}",
            "{\"encodingStrategy\": {\"strategy\": \"shapeshift\", \"optimizationTarget\": \"smaller\","
                + " \"blockSize\": \"small\"}, \"columns\": {\"a\": {\"hashIndex\": true}, \"b\": {}}}",
            "{\"intEncodingStrategy\": \"SHAPESHIFT\", \"longEncodingStrategy\": {\"strategy\": \"compression\"},"
                + " \"dictionaryEncodingStrategy\": \"shapeshift\"}",
            "{\"bitmap\": {\"type\": \"concise\"}, \"dimensionCompression\": \"zstd\", \"longEncoding\": \"auto\","
                + " \"indexEncodingStrategy\": {\"strategy\": \"shapeshift\", \"optimizationTarget\": \"faster\"}}",
            "{\"stringDictionaryEncoding\": {\"type\": \"frontCoded\", \"bucketSize\": 4},"
                + " \"encodingStrategy\": \"shapeshift\","
                + " \"columns\": {\"a\": {\"indexEncodingStrategy\": \"compression\"}}}",
            "{\"encodingStrategy\": {\"optimizationTarget\": \"smaller\"}}",
            "{\"encodingStrategy\": null, \"columns\": null}",
            "{}"
        )
        .map(json -> json.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
