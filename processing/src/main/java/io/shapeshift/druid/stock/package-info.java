// SPDX-License-Identifier: Apache-2.0
/**
 * Model of stock columns: the size and scan time of their blocks, and the budget that limits shape-shifting columns to
 * their size.
 */
package io.shapeshift.druid.stock;
