// SPDX-License-Identifier: Apache-2.0
/** Dictionaries of strings, in sorted buckets. */
package io.shapeshift.druid.column.strings;
