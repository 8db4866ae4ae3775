// SPDX-License-Identifier: Apache-2.0
/** Codings of sorted texts in buckets, with the symbols, patterns and dictionaries that they use. */
package io.shapeshift.druid.form.strings;
