// SPDX-License-Identifier: Apache-2.0
/** Mergers and serializers, which write shape-shifting columns into segments of versions 9 and 10. */
package io.shapeshift.druid.segment.merge;
