// SPDX-License-Identifier: Apache-2.0
/** Nested columns: their parts, and how they are written anew. */
package io.shapeshift.druid.tool.nested;
