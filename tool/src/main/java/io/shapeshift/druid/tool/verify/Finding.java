// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

/**
 * Problem of a segment as a whole.
 *
 * @param status  kind of problem
 * @param message description of the problem
 */
public record Finding(Status status, String message) {}
