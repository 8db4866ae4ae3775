// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.google.inject.Binder;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.Multibinder;
import io.shapeshift.druid.api.ShapeShiftEncodings;
import io.shapeshift.druid.incremental.AutomaticCompactionMixin;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnPartSerde;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import io.shapeshift.druid.segment.join.KeyedSegmentizerFactory;
import io.shapeshift.druid.segment.merge.ShapeShiftIndexMergerV10;
import io.shapeshift.druid.segment.merge.ShapeShiftIndexMergerV9;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.segment.serde.LaterColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.spec.CompactionStateMixin;
import io.shapeshift.druid.segment.spec.IndexSpecMixin;
import java.util.List;
import org.apache.druid.guice.JsonConfigProvider;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.java.util.metrics.Monitor;
import org.apache.druid.segment.IndexMergerV10Factory;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.timeline.CompactionState;

/**
 * Guice module of the extension. Registers the options of the indexSpec, the mergers, the column serdes, the cursors
 * that inform indexes which rows a query reads, the metrics monitor, the bounds of the pools, and the incremental index
 * in direct memory.
 */
public final class ShapeShiftModule implements DruidModule {
  @Override
  public List<? extends Module> getJacksonModules() {
    return List.of(
        new SimpleModule("ShapeShift") {
          private static final long serialVersionUID = 1;

          @Override
          public void setupModule(SetupContext context) {
            super.setupModule(context);
            context.addDeserializationProblemHandler(new LaterColumnPartSerde.Handler());
            AutomaticCompactionMixin.register(context);
          }
        }
            .setMixInAnnotation(IndexSpec.class, IndexSpecMixin.class)
            .setMixInAnnotation(CompactionState.class, CompactionStateMixin.class)
            .registerSubtypes(
                new NamedType(ShapeShiftStringColumnPartSerde.class, ShapeShiftStringColumnPartSerde.TYPE),
                new NamedType(ShapeShiftAutoColumnPartSerde.class, ShapeShiftAutoColumnPartSerde.TYPE),
                new NamedType(ShapeShiftNumberColumnPartSerde.Longs.class, ShapeShiftNumberColumnPartSerde.Longs.TYPE),
                new NamedType(
                    ShapeShiftNumberColumnPartSerde.Doubles.class,
                    ShapeShiftNumberColumnPartSerde.Doubles.TYPE
                ),
                new NamedType(
                    ShapeShiftNumberColumnPartSerde.Floats.class,
                    ShapeShiftNumberColumnPartSerde.Floats.TYPE
                ),
                new NamedType(ShapeShiftComplexColumnPartSerde.class, ShapeShiftComplexColumnPartSerde.TYPE),
                new NamedType(ShapeShiftNestedColumnPartSerde.class, ShapeShiftNestedColumnPartSerde.TYPE),
                new NamedType(KeyedSegmentizerFactory.class, KeyedSegmentizerFactory.TYPE),
                new NamedType(ShapeShiftAppendableIndexSpec.class, ShapeShiftAppendableIndexSpec.TYPE)
            )
    );
  }

  @Override
  public void configure(Binder binder) {
    // An extension's bindings override those of Druid's core.
    binder.bind(IndexMergerV9Factory.class).to(ShapeShiftIndexMergerV9.Factory.class);
    binder.bind(IndexMergerV10Factory.class).to(ShapeShiftIndexMergerV10.Factory.class);
    binder.bind(MergerBindings.class).asEagerSingleton();
    // Empty sets, which modules of other jars fill.
    ShapeShiftEncodings.ints(binder);
    ShapeShiftEncodings.numbers(binder);
    ShapeShiftEncodings.postings(binder);
    ShapeShiftEncodings.texts(binder);
    binder.bind(AddedEncodings.class).asEagerSingleton();
    QueriedCursorFactory.register();
    binder.bind(MemoryAccess.class).asEagerSingleton();
    JsonConfigProvider.bind(binder, PoolConfig.PREFIX, PoolConfig.class);
    binder.bind(PoolConfig.Applied.class).asEagerSingleton();
    // Same as MetricsModule.register, whose jar is not on this module's class path.
    Multibinder.newSetBinder(binder, new TypeLiteral<Class<? extends Monitor>>() {})
        .addBinding()
        .toInstance(ShapeShiftMonitor.class);
  }
}
