// SPDX-License-Identifier: Apache-2.0
/** Columns of longs, doubles and floats with Druid's interfaces, and dictionaries of numbers. */
package io.shapeshift.druid.column.numbers;
