// SPDX-License-Identifier: Apache-2.0
/** Forms of numbers without a frame, which are read in place. */
package io.shapeshift.druid.form.numbers.raw;
