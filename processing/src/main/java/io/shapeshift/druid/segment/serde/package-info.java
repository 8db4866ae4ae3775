// SPDX-License-Identifier: Apache-2.0
/** Column parts: descriptions in a segment by which Druid opens a column. */
package io.shapeshift.druid.segment.serde;
