// SPDX-License-Identifier: Apache-2.0
/** Metrics of rows: numbers in the row, and Druid's aggregators on the heap. */
package io.shapeshift.druid.incremental.metric;
