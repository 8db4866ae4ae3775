// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

/** Estimates of hash tables, compared with real ones. */
class TableBytesTest {
  /** The estimate grows when the real table does, by at least as much. */
  @Test
  void tablesGrowAsRealOnes() throws ReflectiveOperationException {
    final Field keys = Object2IntOpenHashMap.class.getDeclaredField("key");
    keys.setAccessible(true);
    final Object2IntOpenHashMap<String> map = new Object2IntOpenHashMap<>();
    int places = ((Object[]) keys.get(map)).length;
    int growths = 0;
    for (int values = 1; values < 200_000; values++) {
      map.put("v" + values, values);
      final int placesNow = ((Object[]) keys.get(map)).length;
      final long growth = TableBytes.of(values) - TableBytes.of(values - 1);
      final long real = 2L * Integer.BYTES * (placesNow - places);
      assertTrue(growth >= real, "" + values);
      // A list may grow by half at the same time, and arrays may fill regions.
      assertTrue(real > 0 || growth <= 3L * Integer.BYTES * values + (1 << 21), "" + values);
      growths += placesNow > places ? 1 : 0;
      places = placesNow;
    }
    assertEquals(14, growths);
  }
}
