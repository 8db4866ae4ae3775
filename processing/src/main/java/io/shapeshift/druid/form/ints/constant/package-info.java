// SPDX-License-Identifier: Apache-2.0
/** Chunks of one value. */
package io.shapeshift.druid.form.ints.constant;
