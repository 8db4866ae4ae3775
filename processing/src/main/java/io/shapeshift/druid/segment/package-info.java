// SPDX-License-Identifier: Apache-2.0
/** The extension in Druid: its module, and how the packages below it plug in. */
package io.shapeshift.druid.segment;
