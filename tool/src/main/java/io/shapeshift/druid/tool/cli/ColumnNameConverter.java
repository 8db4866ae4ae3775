// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import picocli.CommandLine.ITypeConverter;

/**
 * Reads one of several names of columns with commas between them. A name that holds a comma is in double quotes, and
 * quotes within it are doubled, as in CSV.
 */
public final class ColumnNameConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
           ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
           : text;
  }
}
