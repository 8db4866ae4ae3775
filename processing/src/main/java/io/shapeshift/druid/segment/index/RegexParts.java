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
  private static final int KNOWN_FLAGS =
      Pattern.DOTALL | Pattern.MULTILINE | Pattern.UNIX_LINES | Pattern.CASE_INSENSITIVE;
  private static final String IGNORE_CASE = "(?i)";
  /** Escapes that stand for a class of characters or a position: each ends a text. */
  private static final String NO_CHARACTERS = "dDsSwWhHvVbBAGZzRX";

  /** No character. */
  private static final int NONE = -1;

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
   * @param ignoresCase whether a match may have other cases of ASCII letters
   */
  record Result(List<String> parts, boolean isLiteral, boolean ignoresCase) {
    private static final Result NONE = new Result(List.of(), false, false);
  }

  /** Analyses an expression that is searched for anywhere in a text. */
  static Result of(Pattern pattern) {
    if ((pattern.flags() & ~KNOWN_FLAGS) != 0) {
      return Result.NONE;
    }
    final boolean startsIgnoring = pattern.pattern().startsWith(IGNORE_CASE);
    final boolean ignoresCase = startsIgnoring || (pattern.flags() & Pattern.CASE_INSENSITIVE) != 0;
    final RegexParts analysis =
        new RegexParts(startsIgnoring ? pattern.pattern().substring(IGNORE_CASE.length()) : pattern.pattern());
    return analysis.run()
           ? new Result(analysis.parts, analysis.isLiteral && analysis.parts.size() == 1, ignoresCase)
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
    if (character == NONE) {
      return false;
    }
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
      case 'u' -> add(unicode());
      case 'p', 'P' -> endPart() && skipProperty();
      default -> !isAsciiLetterOrDigit(character) && add(character);
    };
  }

  private static boolean isAsciiLetterOrDigit(int character) {
    return character < 0x80 && Character.isLetterOrDigit(character);
  }

  /** Reads the character of an escape, which may take two escapes; NONE if it is half of a surrogate pair. */
  private int unicode() {
    final int first = codeUnit();
    if (first == NONE || !Character.isSurrogate((char) first)) {
      return first;
    }
    if (!Character.isHighSurrogate((char) first) || !regex.startsWith("\\u", at)) {
      return NONE;
    }
    at += 2;
    final int second = codeUnit();
    return second != NONE && Character.isLowSurrogate((char) second)
           ? Character.toCodePoint((char) first, (char) second)
           : NONE;
  }

  /** Reads four hexadecimal digits; NONE if there are none. */
  private int codeUnit() {
    if (at + 4 > regex.length()) {
      return NONE;
    }
    try {
      at += 4;
      return Integer.parseUnsignedInt(regex.substring(at - 4, at), 16);
    } catch (NumberFormatException e) {
      return NONE;
    }
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
      if (character == '\\' && !skipEscaped()) {
        return false;
      }
    }
    return false;
  }

  /** Skips the character behind a backslash, unless more belongs to the escape, such as a bracket. */
  private boolean skipEscaped() {
    return at < regex.length() && "Qc".indexOf(regex.charAt(at++)) < 0;
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
        case '\\' -> skipEscaped();
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
