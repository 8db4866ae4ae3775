// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.io.CountingInputStream;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.Closeable;
import java.io.EOFException;
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
import java.util.zip.ZipException;
import javax.annotation.Nullable;
import org.apache.druid.utils.CompressionUtils;

/**
 * Numbered lines of a UTF-8 text file, which may be gzipped. Malformed bytes are rejected, because replacement
 * characters would get into the segment unnoticed.
 */
final class Lines implements Closeable {
  /** Suffix of compressed files. */
  static final String GZIP = ".gz";
  private static final int MAX_LINE_BYTES = 1 << 26;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final Path file;
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
   * @throws ToolException if the file does not exist, or is not gzipped although its name ends in {@code .gz}
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
    try {
      final boolean isGzip = file.toString().toLowerCase(Locale.ROOT).endsWith(GZIP);
      this.in = isGzip ? CompressionUtils.gzipInputStream(compressed) : compressed;
    } catch (IOException e) {
      closeQuietly();
      throw new ToolException(
          file.toString(),
          e instanceof EOFException ? "it is empty, or ends within the head of a gzip file" : "it is no gzip file",
          "Its name ends in " + GZIP + ", so it has to be one",
          e
      );
    }
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
    } catch (EOFException | ZipException e) {
      throw new ToolException(
          where(number + 1),
          "the compressed data is damaged or ends early: " + e.getMessage(),
          "Make or fetch the file again",
          e
      );
    } catch (IOException e) {
      throw new ToolException(where(number + 1), "it cannot be read: " + e.getMessage(), "", e);
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
