// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import io.shapeshift.druid.segment.ShapeShiftModule;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.guice.DruidSecondaryModule;
import org.apache.druid.guice.ExpressionModule;
import org.apache.druid.guice.StartupInjectorBuilder;
import org.apache.druid.guice.annotations.Json;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexMergerV10Factory;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/** The parts of Druid, with the extension, that are needed to read and write segments in this process. */
public final class Druid {
  private static final Injector INJECTOR = makeInjector();
  private static final ObjectMapper JSON = makeJson();

  private Druid() {}

  private static Injector makeInjector() {
    // Registers handlers and serdes of types in global registries.
    BuiltInTypesModule.registerHandlersAndSerde();
    final Injector startup = new StartupInjectorBuilder().withEmptyProperties().build();
    return Guice.createInjector(
        startup.getInstance(DruidSecondaryModule.class),
        new ExpressionModule(),
        new ShapeShiftModule(),
        binder -> {
          binder.bind(SegmentWriteOutMediumFactory.class).toInstance(TmpFileSegmentWriteOutMediumFactory.instance());
          binder.bind(ColumnConfig.class).toInstance(ColumnConfig.DEFAULT);
          binder.bind(DefaultColumnFormatConfig.class)
                .toInstance(new DefaultColumnFormatConfig(null, null, null, null));
        }
    );
  }

  private static ObjectMapper makeJson() {
    final ObjectMapper json = INJECTOR.getInstance(Key.get(ObjectMapper.class, Json.class));
    json.registerModules(BuiltInTypesModule.getJacksonModulesList());
    json.registerModules(new ShapeShiftModule().getJacksonModules());
    return json;
  }

  /** Mapper for Druid's JSON: column descriptors, indexSpecs, aggregators. */
  public static ObjectMapper json() {
    return JSON;
  }

  /**
   * Merger that writes segments with the columns that their indexSpec requests.
   *
   * @param version segment version, 9 or 10
   */
  public static IndexMerger merger(int version) {
    return switch (version) {
      case 9 -> INJECTOR.getInstance(IndexMergerV9Factory.class).create(true);
      case 10 -> INJECTOR.getInstance(IndexMergerV10Factory.class).create();
      default -> throw new IllegalArgumentException("version[" + version + "]");
    };
  }

  /** Instance of a Druid class, such as {@code IndexIO}, from its injector. */
  public static <T> T instance(Class<T> type) {
    return INJECTOR.getInstance(type);
  }
}
