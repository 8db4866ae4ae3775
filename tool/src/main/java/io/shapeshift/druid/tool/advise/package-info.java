// SPDX-License-Identifier: Apache-2.0
/** Choice of encodings for the columns of a table, from their analysis. */
package io.shapeshift.druid.tool.advise;
