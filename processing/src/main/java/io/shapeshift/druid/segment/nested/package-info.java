// SPDX-License-Identifier: Apache-2.0
/** Columns of nested JSON. */
package io.shapeshift.druid.segment.nested;
