// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.form.Form;

/** A form of posting lists. Whatever the byte order of a segment, their bytes are little-endian, as Roaring's are. */
public interface PostingForm extends Form<PostingChunk, PostingChunkReader> {}
