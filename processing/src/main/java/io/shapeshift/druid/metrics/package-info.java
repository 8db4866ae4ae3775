// SPDX-License-Identifier: Apache-2.0
/** Counts of what a segment was written of, and of what the process has written and read. Uses no other package. */
package io.shapeshift.druid.metrics;
