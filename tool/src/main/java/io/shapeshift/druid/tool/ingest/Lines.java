// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.collect.ImmutableMap;
import com.google.common.io.CountingInputStream;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import javax.annotation.Nullable;
import org.apache.druid.utils.CompressionUtils;

/**
 * Numbered lines of a UTF-8 text file, which may be compressed with gzip or bzip2. Malformed bytes are rejected,
 * because replacement characters would get into the segment unnoticed.
 */
final class Lines implements Closeable {
  /** Compressions by the suffix of the file's name. */
  private static final ImmutableMap<String, String> COMPRESSIONS = ImmutableMap.of(".gz", "gzip", ".bz2", "bzip2");
  private static final int MAX_LINE_BYTES = 1 << 26;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Path file;
  private final boolean isCompressed;
  private final CountingInputStream compressed;
  private final InputStream in;
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private byte[] line = new byte[BUFFER_BYTES];
  private long number;

  /**
   * Opens a file.
   *
   * @throws ToolException if the file does not exist, or is not compressed as its name says
   */
  Lines(Path file) {
    this.file = file;
    try {
      this.compressed = new CountingInputStream(Files.newInputStream(file));
    } catch (NoSuchFileException e) {
      throw new ToolException(file.toString(), "there is no such file", "", e);
    } catch (AccessDeniedException e) {
      throw new ToolException(file.toString(), "the permission to read it is missing", "Ask for it", e);
    } catch (IOException e) {
      throw new ToolException(file.toString(), "it cannot be opened: " + Reason.of(e), "", e);
    }
    final String suffix = suffix(file);
    this.isCompressed = !suffix.isEmpty();
    try {
      this.in = isCompressed ? CompressionUtils.decompress(new BufferedInputStream(compressed), suffix) : compressed;
    } catch (IOException e) {
      closeQuietly();
      throw new ToolException(
          file.toString(),
          "it is no " + COMPRESSIONS.get(suffix) + " file, or a damaged one",
          "Its name ends in " + suffix + ", so it has to be one",
          e
      );
    }
  }

  private static String suffix(Path file) {
    final String name = file.toString().toLowerCase(Locale.ROOT);
    return COMPRESSIONS.keySet().stream().filter(name::endsWith).findFirst().orElse("");
  }

  /** Name of a file in lower case, without the suffix of its compression. */
  static String uncompressedName(Path file) {
    final String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.substring(0, name.length() - suffix(file).length());
  }

  /** Returns an exception's message, behind a colon; nothing if it has none. */
  private static String because(IOException e) {
    return e.getMessage() == null ? "" : ": " + e.getMessage();
  }

  private void closeQuietly() {
    try {
      compressed.close();
    } catch (IOException e) {
      // The earlier exception is the one to report.
    }
  }

  /**
   * Next line including its line feed, or null after the last one.
   *
   * @throws ToolException if the line cannot be read, or is not UTF-8
   */
  @Nullable
  String next() {
    int length = 0;
    boolean ended = false;
    while (!ended && (position < limit || fill())) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      ended = end < limit;
      final int count = (ended ? end + 1 : end) - position;
      if (length + count > MAX_LINE_BYTES) {
        number++;
        throw new ToolException(
            where(number),
            "the line is longer than " + MAX_LINE_BYTES + " bytes",
            "Is this a text file with lines?"
        );
      }
      if (length + count > line.length) {
        line = Arrays.copyOf(line, Math.max(length + count, 2 * line.length));
      }
      System.arraycopy(buffer, position, line, length, count);
      length += count;
      position += count;
    }
    if (length == 0) {
      return null;
    }
    number++;
    return decode(length);
  }

  private boolean fill() {
    try {
      position = 0;
      limit = Math.max(0, in.read(buffer));
      return limit > 0;
    } catch (IOException e) {
      throw new ToolException(
          where(number + 1),
          (isCompressed ? "the compressed data is damaged or ends early" : "it cannot be read") + because(e),
          isCompressed ? "Make or fetch the file again" : "",
          e
      );
    }
  }

  private String decode(int length) {
    final ByteBuffer bytes = ByteBuffer.wrap(line, 0, length);
    try {
      final String text = utf8.decode(bytes).toString();
      return number == 1 && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new ToolException(
          where(number),
          "byte " + (bytes.position() + 1) + " of the line is not UTF-8",
          "Convert the file to UTF-8, with iconv for example",
          e
      );
    }
  }

  /** Number of the last line read, starting at 1. */
  long number() {
    return number;
  }

  /** Number of bytes of the stored (compressed) file read. */
  long bytesRead() {
    return compressed.getCount();
  }

  /** File and line number, for messages. */
  String where(long number) {
    return file + ":" + number;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
