// SPDX-License-Identifier: Apache-2.0
/** The index of a column: for each value the rows that have it. */
package io.shapeshift.druid.column.postings;
