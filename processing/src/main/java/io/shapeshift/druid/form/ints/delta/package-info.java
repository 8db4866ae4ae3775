// SPDX-License-Identifier: Apache-2.0
/** Delta encoding: differences between neighbouring values. */
package io.shapeshift.druid.form.ints.delta;
