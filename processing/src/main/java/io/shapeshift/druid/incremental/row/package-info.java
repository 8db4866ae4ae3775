// SPDX-License-Identifier: Apache-2.0
/** One row in direct memory: its byte layout, and the cursor that reads and writes it. */
package io.shapeshift.druid.incremental.row;
