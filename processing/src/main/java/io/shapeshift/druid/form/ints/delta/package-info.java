// SPDX-License-Identifier: Apache-2.0
/** Differences of neighbouring values, for values in some order. */
package io.shapeshift.druid.form.ints.delta;
