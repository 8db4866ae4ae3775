// SPDX-License-Identifier: Apache-2.0
/** Pools of arrays, buffers and contexts whose memory follows the load of the process. */
package io.shapeshift.druid.pool;
