// SPDX-License-Identifier: Apache-2.0
/** Cursors that know which rows a query reads, so that filters on numbers scan no others. */
package io.shapeshift.druid.segment.cursor;
