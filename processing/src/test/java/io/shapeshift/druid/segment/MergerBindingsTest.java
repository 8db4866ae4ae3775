// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import java.util.List;
import java.util.Properties;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.writeout.OffHeapMemorySegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Test;

/** Another extension that makes mergers, which Druid has one of. */
class MergerBindingsTest {
  /** Druid's core, as far as we override it or our mergers need it. */
  private static final Module CORE = binder -> {
    binder.install(ServiceProperties.of(new Properties()));
    binder.bind(IndexMergerV9Factory.class).toProvider(() -> null);
    binder.bind(ColumnConfig.class).toInstance(ColumnConfig.DEFAULT);
    binder.bind(SegmentWriteOutMediumFactory.class).toInstance(OffHeapMemorySegmentWriteOutMediumFactory.instance());
  };
  private static final Module OTHER_EXTENSION =
      binder -> binder.bind(IndexMergerV9Factory.class).toProvider(() -> null);

  private static List<String> foreign(Module module) {
    return Guice.createInjector(module).getInstance(MergerBindings.class).foreign();
  }

  @Test
  void nothingIsSaidWhereTheMergersAreOurs() {
    assertEquals(List.of(), foreign(Modules.override(CORE).with(new ShapeShiftModule())));
  }

  @Test
  void twoExtensionsAreRefused() {
    final Module both = Modules.override(CORE).with(new ShapeShiftModule(), OTHER_EXTENSION);
    final String message = assertThrows(CreationException.class, () -> Guice.createInjector(both)).getMessage();
    assertTrue(message.contains("IndexMergerV9Factory was bound multiple times"), message);
    assertTrue(message.contains("ShapeShiftModule.configure"), message);
    assertTrue(message.contains("MergerBindingsTest"), message);
  }

  @Test
  void whatOverridesUsIsNamed() {
    final List<String> foreign =
        foreign(Modules.override(Modules.override(CORE).with(new ShapeShiftModule())).with(OTHER_EXTENSION));
    assertEquals(1, foreign.size(), foreign::toString);
    assertTrue(
        foreign.get(0).startsWith("druid-shapeshift does not write the segments of this service: IndexMergerV9Factory"
            + " is bound by "),
        foreign::toString
    );
    assertTrue(foreign.get(0).contains("MergerBindingsTest"), foreign::toString);
  }
}
