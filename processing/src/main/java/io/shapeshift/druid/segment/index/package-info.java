// SPDX-License-Identifier: Apache-2.0
/** Indexes that filters ask, over posting lists, packed numbers and hash indexes. */
package io.shapeshift.druid.segment.index;
