// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.inject.Binding;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.spi.LinkedKeyBinding;
import io.shapeshift.druid.segment.merge.ShapeShiftIndexMergerV10;
import io.shapeshift.druid.segment.merge.ShapeShiftIndexMergerV9;
import java.util.List;
import java.util.stream.Stream;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.IndexMergerV10Factory;
import org.apache.druid.segment.IndexMergerV9Factory;

/**
 * Says when a service starts if something else than we makes its mergers. Two extensions that both bind a factory Guice
 * refuses, and names both; but a module that overrides what extensions bind goes unseen, and segments would be Druid's.
 */
final class MergerBindings {
  private static final Logger LOG = new Logger(MergerBindings.class);

  private final List<String> foreign;

  @Inject
  MergerBindings(Injector injector) {
    this.foreign = Stream.of(
        foreign(injector, IndexMergerV9Factory.class, ShapeShiftIndexMergerV9.Factory.class),
        foreign(injector, IndexMergerV10Factory.class, ShapeShiftIndexMergerV10.Factory.class)
    ).flatMap(List::stream).toList();
    foreign.forEach(LOG::error);
  }

  /** What is not ours, one message for each factory. */
  List<String> foreign() {
    return foreign;
  }

  /** Looks at the binding only: to make a factory takes what not every service has. */
  private static <T> List<String> foreign(Injector injector, Class<T> stock, Class<? extends T> ours) {
    final Binding<T> binding = injector.getExistingBinding(Key.get(stock));
    if (binding instanceof LinkedKeyBinding<T> linked && linked.getLinkedKey().equals(Key.get(ours))) {
      return List.of();
    }
    return List.of(StringUtils.format(
        "druid-shapeshift does not write the segments of this service: %s is bound by %s. Remove one of the extensions"
            + " from druid.extensions.loadList",
        stock.getSimpleName(),
        binding == null ? "nobody" : binding.getSource()
    ));
  }
}
