// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Analysis of a regular expression: texts without alternatives that each match contains. What is not understood ends
 * the analysis without a result.
 */
final class RegexParts {
  private static final int KNOWN_FLAGS = Pattern.DOTALL | Pattern.MULTILINE | Pattern.UNIX_LINES;
  /** Escapes that stand for a class of characters or a position: each ends a text. */
  private static final String NO_CHARACTERS = "dDsSwWhHvVbBAGZzRX";

  private final String regex;
  private final List<String> parts = new ArrayList<>();
  private final StringBuilder part = new StringBuilder();
  private int at;
  /** Whether the expression is only the characters of one part. */
  private boolean isLiteral = true;

  private RegexParts(String regex) {
    this.regex = regex;
  }

  /**
   * What is known of the matches of an expression.
   *
   * @param parts texts that each match contains; empty if none are known
   * @param isLiteral whether the expression matches one part, and nothing else
   */
  record Result(List<String> parts, boolean isLiteral) {
    private static final Result NONE = new Result(List.of(), false);
  }

  /** Analyses an expression that is searched for anywhere in a text. */
  static Result of(Pattern pattern) {
    if ((pattern.flags() & ~KNOWN_FLAGS) != 0) {
      return Result.NONE;
    }
    final RegexParts analysis = new RegexParts(pattern.pattern());
    return analysis.run()
           ? new Result(analysis.parts, analysis.isLiteral && analysis.parts.size() == 1)
           : Result.NONE;
  }

  /** Returns false if nothing is certain. */
  private boolean run() {
    while (at < regex.length()) {
      final int character = regex.codePointAt(at);
      at += Character.charCount(character);
      final boolean isUnderstood = switch (character) {
        case '|' -> false;
        case '(' -> endPart() && skipGroup();
        case '[' -> endPart() && skipClass();
        case '.', '^', '$' -> endPart();
        case '*', '?', '+', '{' -> repeat(character);
        case '\\' -> escape();
        // Java takes these for characters where they close nothing.
        case ')', ']', '}' -> false;
        default -> add(character);
      };
      if (!isUnderstood) {
        return false;
      }
    }
    addPart();
    return true;
  }

  private boolean add(int character) {
    part.appendCodePoint(character);
    return true;
  }

  private void addPart() {
    if (!part.isEmpty()) {
      parts.add(part.toString());
      part.setLength(0);
    }
  }

  private boolean endPart() {
    addPart();
    isLiteral = false;
    return true;
  }

  /** A quantifier: what it repeats may be missing, or occur several times. */
  private boolean repeat(int quantifier) {
    if (quantifier != '+' && !part.isEmpty()) {
      part.setLength(part.offsetByCodePoints(part.length(), -1));
    }
    endPart();
    if (quantifier == '{') {
      at = regex.indexOf('}', at) + 1;
      if (at == 0) {
        return false;
      }
    }
    // It may be possessive or reluctant.
    if (at < regex.length() && "+?".indexOf(regex.charAt(at)) >= 0) {
      at++;
    }
    return true;
  }

  private boolean escape() {
    if (at == regex.length()) {
      return false;
    }
    final int character = regex.codePointAt(at);
    at += Character.charCount(character);
    if (NO_CHARACTERS.indexOf(character) >= 0) {
      return endPart();
    }
    return switch (character) {
      case 't' -> add('\t');
      case 'n' -> add('\n');
      case 'r' -> add('\r');
      case 'f' -> add('\f');
      case 'u' -> unicode();
      case 'p', 'P' -> endPart() && skipProperty();
      default -> !isAsciiLetterOrDigit(character) && add(character);
    };
  }

  private static boolean isAsciiLetterOrDigit(int character) {
    return character < 0x80 && Character.isLetterOrDigit(character);
  }

  private boolean unicode() {
    if (at + 4 > regex.length()) {
      return false;
    }
    try {
      // Halves of a pair meet in the part.
      part.append((char) Integer.parseInt(regex.substring(at, at + 4), 16));
    } catch (NumberFormatException e) {
      return false;
    }
    at += 4;
    return true;
  }

  private boolean skipProperty() {
    if (at == regex.length()) {
      return false;
    }
    at = regex.charAt(at) == '{' ? regex.indexOf('}', at) + 1 : at + 1;
    return at > 0;
  }

  /** Skips a class of characters, of which the bracket has been read. */
  private boolean skipClass() {
    if (at < regex.length() && regex.charAt(at) == '^') {
      at++;
    }
    for (boolean isFirst = true; at < regex.length(); isFirst = false) {
      final char character = regex.charAt(at++);
      if (character == ']' && !isFirst) {
        return true;
      }
      if (character == '[' || character == '&') {
        // Classes of classes.
        return false;
      }
      if (character == '\\') {
        if (at == regex.length() || regex.charAt(at) == 'Q') {
          return false;
        }
        at++;
      }
    }
    return false;
  }

  /** Skips a group, of which the parenthesis has been read. */
  private boolean skipGroup() {
    if (regex.startsWith("?", at) && !regex.startsWith("?:", at)) {
      // Flags, names, and groups that look around.
      return false;
    }
    while (at < regex.length()) {
      final char character = regex.charAt(at++);
      final boolean isUnderstood = switch (character) {
        case ')' -> true;
        case '(' -> skipGroup();
        case '[' -> skipClass();
        case '\\' -> at < regex.length() && regex.charAt(at++) != 'Q';
        default -> true;
      };
      if (!isUnderstood) {
        return false;
      }
      if (character == ')') {
        return true;
      }
    }
    return false;
  }
}
