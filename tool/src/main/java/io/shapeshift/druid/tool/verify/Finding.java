// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

/**
 * What is wrong with a segment as a whole.
 *
 * @param status  what kind of bad news it is
 * @param message what is wrong
 */
public record Finding(Status status, String message) {}
