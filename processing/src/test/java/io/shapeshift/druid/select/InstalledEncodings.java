// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.api.Encoding;
import java.util.List;
import java.util.Map;

/** Encodings of other jars that are installed during a test, and not afterwards. */
public final class InstalledEncodings implements AutoCloseable {
  private final Map<String, Encoding> before = AddedForms.installed();

  private InstalledEncodings() {}

  public static InstalledEncodings of(Encoding... encodings) {
    final InstalledEncodings installed = new InstalledEncodings();
    AddedForms.replace(Map.of());
    AddedForms.install(List.of(encodings));
    return installed;
  }

  @Override
  public void close() {
    AddedForms.replace(before);
  }
}
