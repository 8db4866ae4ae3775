// SPDX-License-Identifier: Apache-2.0
/**
 * What stock Druid would store: its columns, the size and the scan time of its blocks, and the budget that keeps our
 * columns within.
 */
package io.shapeshift.druid.stock;
