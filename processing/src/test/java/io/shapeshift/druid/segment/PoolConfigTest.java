// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.Guice;
import com.google.inject.ProvisionException;
import java.util.Map;
import java.util.Properties;
import org.apache.druid.guice.JsonConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pools' runtime properties, read as Druid reads them. */
class PoolConfigTest {
  private static PoolConfig config(Map<String, String> properties) {
    final Properties all = new Properties();
    all.putAll(properties);
    return Guice.createInjector(
        ServiceProperties.of(all),
        binder -> JsonConfigProvider.bind(binder, PoolConfig.PREFIX, PoolConfig.class)
    ).getInstance(PoolConfig.class);
  }

  private static String refusal(String name, String value) {
    return assertThrows(ProvisionException.class, () -> config(Map.of(name, value))).getMessage();
  }

  @Test
  void propertiesAreOptional() {
    final PoolConfig config = config(Map.of("druid.shapeshift.pools", "another"));
    assertEquals(64 << 20, config.maxHeapBytes());
    assertEquals(32 << 20, config.maxDirectBytes());
  }

  @Test
  void bytesMayHaveAUnit() {
    final PoolConfig config = config(Map.of(
        "druid.shapeshift.pool.maxHeapBytes", "1GiB", "druid.shapeshift.pool.maxDirectBytes", "0"));
    assertEquals(1 << 30, config.maxHeapBytes());
    assertEquals(0, config.maxDirectBytes());
    assertEquals(1234, config(Map.of("druid.shapeshift.pool.maxHeapBytes", "1234")).maxHeapBytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "much", "", "5 %", "1.5GiB", "99999999999999999999", "{\"bytes\":", "MiB"})
  void otherValuesAreRefused(String value) {
    for (String name : new String[] {"maxHeapBytes", "maxDirectBytes"}) {
      final String message = refusal("druid.shapeshift.pool." + name, value);
      assertTrue(
          message.contains("druid.shapeshift.pool." + name + "[" + value
              + "] must be a number of bytes, 0 or more, such as 67108864, 64MiB or 1GiB"),
          message
      );
    }
  }

  @Test
  void misspeltNamesAreRefused() {
    final String message = refusal("druid.shapeshift.pool.maxHeapSize", "1GiB");
    assertTrue(
        message.contains("druid.shapeshift.pool.maxHeapSize[1GiB] is unknown. Allowed are"
            + " druid.shapeshift.pool.maxHeapBytes and druid.shapeshift.pool.maxDirectBytes"),
        message
    );
  }
}
