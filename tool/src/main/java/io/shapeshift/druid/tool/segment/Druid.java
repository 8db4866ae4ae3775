// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import io.shapeshift.druid.segment.ShapeShiftModule;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.guice.DruidSecondaryModule;
import org.apache.druid.guice.ExpressionModule;
import org.apache.druid.guice.StartupInjectorBuilder;
import org.apache.druid.guice.annotations.Json;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexMergerV10Factory;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/** The parts of Druid, with the extension, that are needed to read and write segments in this process. */
public final class Druid {
  private static volatile Parts parts = parts(List.of());

  private Druid() {}

  /** What Druid's injector provides. */
  private record Parts(Injector injector, ObjectMapper json, List<DruidModule> extensions) {}

  /** Adds extensions; what was taken from this class before does not know them. */
  static synchronized void extend(List<DruidModule> modules) {
    final List<DruidModule> all = new ArrayList<>(parts.extensions);
    all.addAll(modules);
    parts = parts(all);
  }

  private static Parts parts(List<DruidModule> extensions) {
    // Registers handlers and serdes of types in global registries.
    BuiltInTypesModule.registerHandlersAndSerde();
    final Injector startup = new StartupInjectorBuilder().withEmptyProperties().build();
    extensions.forEach(startup::injectMembers);
    final List<Module> modules = new ArrayList<>(List.of(
        startup.getInstance(DruidSecondaryModule.class),
        new ExpressionModule(),
        new ShapeShiftModule(),
        binder -> {
          binder.bind(SegmentWriteOutMediumFactory.class).toInstance(TmpFileSegmentWriteOutMediumFactory.instance());
          binder.bind(ColumnConfig.class).toInstance(ColumnConfig.DEFAULT);
          binder.bind(DefaultColumnFormatConfig.class)
                .toInstance(new DefaultColumnFormatConfig(null, null, null, null));
        }
    ));
    modules.addAll(extensions);
    final Injector injector = Guice.createInjector(modules);
    final ObjectMapper json = injector.getInstance(Key.get(ObjectMapper.class, Json.class));
    json.registerModules(BuiltInTypesModule.getJacksonModulesList());
    json.registerModules(new ShapeShiftModule().getJacksonModules());
    extensions.forEach(extension -> json.registerModules(extension.getJacksonModules()));
    return new Parts(injector, json, List.copyOf(extensions));
  }

  /** Mapper for Druid's JSON: column descriptors, indexSpecs, aggregators. */
  public static ObjectMapper json() {
    return parts.json;
  }

  /**
   * Merger that writes segments with the columns that their indexSpec requests.
   *
   * @param version segment version, 9 or 10
   */
  public static IndexMerger merger(int version) {
    return switch (version) {
      case 9 -> parts.injector.getInstance(IndexMergerV9Factory.class).create(true);
      case 10 -> parts.injector.getInstance(IndexMergerV10Factory.class).create();
      default -> throw new IllegalArgumentException("version[" + version + "]");
    };
  }

  /** Instance of a Druid class, such as {@code IndexIO}, from its injector. */
  public static <T> T instance(Class<T> type) {
    return parts.injector.getInstance(type);
  }
}
