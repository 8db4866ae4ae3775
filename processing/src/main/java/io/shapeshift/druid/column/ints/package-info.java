// SPDX-License-Identifier: Apache-2.0
/** Columns of ints, with one value per row or several, as Druid reads and writes them. */
package io.shapeshift.druid.column.ints;
