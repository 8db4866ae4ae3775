// SPDX-License-Identifier: Apache-2.0
package org.apache.druid.sql.calcite.schema;

import com.google.inject.Inject;

/** Empty stub, which the broker starts for SQL's system tables; see the package {@code io.shapeshift.druid.cluster}. */
public final class MetadataSegmentView {
  @Inject
  public MetadataSegmentView() {}
}
