// SPDX-License-Identifier: Apache-2.0
/** Options of an indexSpec: strategies, targets, block sizes, and their JSON. */
package io.shapeshift.druid.segment.spec;
