// SPDX-License-Identifier: Apache-2.0
/** Indexes for Druid's filters, over posting lists, packed numbers and hash indexes. */
package io.shapeshift.druid.segment.index;
