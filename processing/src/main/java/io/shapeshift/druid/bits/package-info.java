// SPDX-License-Identifier: Apache-2.0
/**
 * Packing and unpacking of bits and bytes, and comparisons of packed values. The only unchecked access to memory is
 * here. Uses no other package but {@code cost}.
 */
package io.shapeshift.druid.bits;
