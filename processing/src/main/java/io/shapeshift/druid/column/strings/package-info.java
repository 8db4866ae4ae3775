// SPDX-License-Identifier: Apache-2.0
/** Dictionaries of string columns, in sorted buckets. */
package io.shapeshift.druid.column.strings;
