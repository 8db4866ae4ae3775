// SPDX-License-Identifier: Apache-2.0
/** Columns of type auto, some of whose files shape-shift. */
package io.shapeshift.druid.segment.auto;
