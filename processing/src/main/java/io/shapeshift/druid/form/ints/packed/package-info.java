// SPDX-License-Identifier: Apache-2.0
/** Bit and byte packing: ints in as few bits, bytes or digits as the largest of a chunk needs. */
package io.shapeshift.druid.form.ints.packed;
