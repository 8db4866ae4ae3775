// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.inject.Inject;
import io.shapeshift.druid.api.Encoding;
import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.NumberEncoding;
import io.shapeshift.druid.api.PostingEncoding;
import io.shapeshift.druid.api.TextEncoding;
import io.shapeshift.druid.select.AddedForms;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.druid.java.util.common.logger.Logger;

/**
 * Installs the encodings of other jars when a service's injector is made, which is before the service reads or writes a
 * segment.
 */
final class AddedEncodings {
  private static final Logger LOG = new Logger(AddedEncodings.class);

  @Inject
  AddedEncodings(
      Set<IntEncoding> ints, Set<NumberEncoding> numbers, Set<PostingEncoding> postings, Set<TextEncoding> texts) {
    final Set<Encoding> all = Stream.of(ints, numbers, postings, texts)
        .<Encoding>flatMap(Set::stream)
        .collect(Collectors.toSet());
    AddedForms.install(all);
    if (!all.isEmpty()) {
      LOG.info(
          "Encodings of other jars: %s",
          all.stream().map(Encoding::name).collect(Collectors.toCollection(TreeSet::new))
      );
    }
  }
}
