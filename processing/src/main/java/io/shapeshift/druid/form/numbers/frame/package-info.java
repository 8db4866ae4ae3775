// SPDX-License-Identifier: Apache-2.0
/** Frames, which map the numbers of a chunk to ints: linear, decimal, delta and dictionary. */
package io.shapeshift.druid.form.numbers.frame;
