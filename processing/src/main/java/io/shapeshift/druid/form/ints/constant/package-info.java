// SPDX-License-Identifier: Apache-2.0
/** Forms for chunks in which all values are equal. */
package io.shapeshift.druid.form.ints.constant;
