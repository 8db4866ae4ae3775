// SPDX-License-Identifier: Apache-2.0
/** Adapters from the encodings of texts of other jars to codings of texts. */
package io.shapeshift.druid.form.strings.added;
