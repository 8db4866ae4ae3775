// SPDX-License-Identifier: Apache-2.0
/** Sets of rows, and construction of Roaring bitmaps. */
package io.shapeshift.druid.rows;
