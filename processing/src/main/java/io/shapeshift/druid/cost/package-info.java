// SPDX-License-Identifier: Apache-2.0
/** What reading costs, and how much that weighs against bytes: the figures of every choice. Uses no other package. */
package io.shapeshift.druid.cost;
