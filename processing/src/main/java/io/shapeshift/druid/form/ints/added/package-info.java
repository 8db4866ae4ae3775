// SPDX-License-Identifier: Apache-2.0
/** Adapters from the encodings of ints of other jars to forms of ints. */
package io.shapeshift.druid.form.ints.added;

