// SPDX-License-Identifier: Apache-2.0
/** Columns of longs, doubles and floats, as Druid reads and writes them, and dictionaries of numbers. */
package io.shapeshift.druid.column.numbers;
