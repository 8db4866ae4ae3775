// SPDX-License-Identifier: Apache-2.0
/** Command {@code analyze}, and the text and CSV of an analysis. */
package io.shapeshift.druid.tool.analyze;
