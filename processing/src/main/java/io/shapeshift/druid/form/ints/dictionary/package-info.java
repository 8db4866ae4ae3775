// SPDX-License-Identifier: Apache-2.0
/** Dictionary encoding: the chunk's distinct values, and bit-packed codes. */
package io.shapeshift.druid.form.ints.dictionary;
