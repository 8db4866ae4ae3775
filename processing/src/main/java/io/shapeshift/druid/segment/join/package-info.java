// SPDX-License-Identifier: Apache-2.0
/** Tables of broadcast segments, which joins look up by hash indexes. */
package io.shapeshift.druid.segment.join;
