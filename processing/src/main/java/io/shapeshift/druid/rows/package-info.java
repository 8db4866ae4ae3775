// SPDX-License-Identifier: Apache-2.0
/** Sets of rows, and the Roaring bitmaps that are made of them. */
package io.shapeshift.druid.rows;
