// SPDX-License-Identifier: Apache-2.0
/**
 * Cost model of reads: the figures behind every choice, and the weight of read time against bytes. Depends on no other
 * package.
 */
package io.shapeshift.druid.cost;
