// SPDX-License-Identifier: Apache-2.0
/** Analysis of segments: sizes and speeds of their columns in each encoding, and the structure of its JSON. */
package io.shapeshift.druid.tool.analysis;
