// SPDX-License-Identifier: Apache-2.0
/**
 * Counters of the contents of written segments, and of what the process has written and read. Uses no other package.
 */
package io.shapeshift.druid.metrics;
