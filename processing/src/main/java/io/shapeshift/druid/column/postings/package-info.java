// SPDX-License-Identifier: Apache-2.0
/** Inverted index of a column: the posting list of each dictionary id. */
package io.shapeshift.druid.column.postings;
