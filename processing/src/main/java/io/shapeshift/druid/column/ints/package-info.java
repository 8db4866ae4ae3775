// SPDX-License-Identifier: Apache-2.0
/** Columns of ints, with one or several values per row, with Druid's interfaces. */
package io.shapeshift.druid.column.ints;
