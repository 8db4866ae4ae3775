// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import io.shapeshift.druid.segment.spec.EncodingStrategy;
import java.util.Map;

/**
 * Encodings that an indexSpec asks for in an {@code auto} column.
 *
 * @param files        encoding strategies of the files that shape-shift, if the values are not nested
 * @param ofNested     encoding strategy if the values are nested
 * @param hasTextIndex whether dictionaries of strings that shape-shift get a text index
 */
record AskedEncodings(Map<AutoColumnFile, EncodingStrategy> files, EncodingStrategy ofNested, boolean hasTextIndex) {}
