// SPDX-License-Identifier: Apache-2.0
/**
 * Rows of an index by number, the search for a row to roll up into, and the orders in which rows are queried and
 * persisted.
 */
package io.shapeshift.druid.incremental.store;
