// SPDX-License-Identifier: Apache-2.0
/** A dictionary of the chunk's distinct values, and bit-packed codes. */
package io.shapeshift.druid.form.ints.dictionary;
