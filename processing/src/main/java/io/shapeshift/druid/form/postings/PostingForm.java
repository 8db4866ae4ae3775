// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.postings;

import io.shapeshift.druid.form.Form;

/** Form of posting lists. Its bytes are little-endian, as Roaring's are, whatever the byte order of the segment. */
public interface PostingForm extends Form<PostingChunk, PostingChunkReader> {}
