// SPDX-License-Identifier: Apache-2.0
/** Bit, byte and radix packing: ints in as few bits, bytes or digits as the largest value of a chunk needs. */
package io.shapeshift.druid.form.ints.packed;
