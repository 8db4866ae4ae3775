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
 * Logs an error at service start if the service's segment mergers are not the extension's. If two extensions bind the
 * same factory, Guice refuses to start and names both. A module that overrides bindings is not reported by Guice;
 * without this check such a service would silently write stock segments.
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

  /** One message for each merger factory that is not bound to the extension's class. */
  List<String> foreign() {
    return foreign;
  }

  /** Inspects only the binding. Creating the factory needs dependencies that not every service has. */
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
