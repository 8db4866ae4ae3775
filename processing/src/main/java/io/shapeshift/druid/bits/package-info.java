// SPDX-License-Identifier: Apache-2.0
/**
 * Bit and byte packing, and comparisons of packed values. All unchecked memory access of the extension is in this
 * package. Depends on no other package except {@code cost}.
 */
package io.shapeshift.druid.bits;
