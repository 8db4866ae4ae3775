// SPDX-License-Identifier: Apache-2.0
/** Adapters from the encodings of numbers of other jars to forms of numbers. */
package io.shapeshift.druid.form.numbers.added;

