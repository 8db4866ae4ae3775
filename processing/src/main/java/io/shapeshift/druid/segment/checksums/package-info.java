// SPDX-License-Identifier: Apache-2.0
/** Checksums of the files of a segment. */
package io.shapeshift.druid.segment.checksums;
