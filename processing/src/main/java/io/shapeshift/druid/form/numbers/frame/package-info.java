// SPDX-License-Identifier: Apache-2.0
/** Frames, which turn the numbers of a chunk into ints: linear, decimal, delta and dictionary. */
package io.shapeshift.druid.form.numbers.frame;
