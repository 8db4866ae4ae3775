// SPDX-License-Identifier: Apache-2.0
/** Column part serdes, with which Druid opens and writes the columns of a segment. */
package io.shapeshift.druid.segment.serde;
