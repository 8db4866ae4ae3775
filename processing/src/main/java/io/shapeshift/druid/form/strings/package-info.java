// SPDX-License-Identifier: Apache-2.0
/** Codings of sorted texts in buckets, and the symbols and patterns that they are coded with. */
package io.shapeshift.druid.form.strings;
