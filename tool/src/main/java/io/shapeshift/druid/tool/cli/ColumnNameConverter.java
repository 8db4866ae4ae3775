// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import picocli.CommandLine.ITypeConverter;

/**
 * Parser of one name in a comma-separated list of column names. A name with a comma is enclosed in double quotes, and
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
