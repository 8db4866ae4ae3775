// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.checksums;

import it.unimi.dsi.fastutil.ints.IntList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.druid.java.util.common.StringUtils;

/**
 * Checksums of all files of a segment, stored in a file of the same directory. They cover Druid's files as well. Druid
 * pushes and pulls the file with the others and otherwise ignores it. All numbers are little-endian, whatever the byte
 * order of the segment is.
 *
 * <table>
 * <caption>The bytes of the file {@value #FILE}</caption>
 * <tr><th>bytes</th><th>content</th></tr>
 * <tr><td>4</td><td>{@code SSCK} in ASCII</td></tr>
 * <tr><td>1</td><td>version, 1</td></tr>
 * <tr><td>1</td><td>logBlockSize, 12 to 24: a block has 2^logBlockSize bytes; 16 is written</td></tr>
 * <tr><td>2</td><td>numFiles (short)</td></tr>
 * <tr><td></td><td>for each file, in the order of {@code String.compareTo} on names:</td></tr>
 * <tr><td>2</td><td>length of its name in bytes (short)</td></tr>
 * <tr><td>any</td><td>its name in UTF-8, without a directory</td></tr>
 * <tr><td>8</td><td>its length in bytes (long)</td></tr>
 * <tr><td>4 * numBlocks</td><td>the CRC-32C (of the polynomial of Castagnoli, as in iSCSI) of each of its blocks, the
 * last one of what is left (int)</td></tr>
 * <tr><td></td><td>and then</td></tr>
 * <tr><td>4</td><td>CRC-32C of all bytes before (int)</td></tr>
 * </table>
 *
 * <p>The first four bytes, the version and the last four bytes have these places in all versions, so that a newer
 * version can be distinguished from damage.
 *
 * <p>Example: a directory with nothing in it but {@code version.bin}, which has the bytes {@code 00 1f 3e 5d}, has
 * {@code 53 53 43 4b}, version {@code 01}, logBlockSize {@code 10}, numFiles {@code 01 00}; a name of {@code 0b 00}
 * bytes, {@code 76 65 72 73 69 6f 6e 2e 62 69 6e}, of a file of {@code 04 00 00 00 00 00 00 00} bytes, whose only block
 * has the checksum {@code e8 7a fc 2e}; and that of all this, {@code e5 2a 1f 8c}.
 */
public final class SegmentChecksums {
  /** Name of the file. */
  public static final String FILE = "shapeshift.checksums";

  static final byte VERSION = 1;
  static final int LOG_BLOCK_SIZE = 16;
  private static final int MIN_LOG_BLOCK_SIZE = 12;
  private static final int MAX_LOG_BLOCK_SIZE = 24;
  private static final byte[] MAGIC = "SSCK".getBytes(StandardCharsets.US_ASCII);
  /** Magic, version, logBlockSize and numFiles. */
  private static final int HEAD_SIZE = MAGIC.length + 2 + Short.BYTES;
  /** Upper bound on the size of the checksum file. A segment that needs so large a file would have 4 TB. */
  private static final long MAX_SIZE = 1 << 28;

  private final int logBlockSize;
  private final SortedMap<String, FileChecksums> files;

  private SegmentChecksums(int logBlockSize, SortedMap<String, FileChecksums> files) {
    this.logBlockSize = logBlockSize;
    this.files = files;
  }

  /** Length of a file and checksums of its blocks. */
  private record FileChecksums(long length, IntList blocks) {}

  /**
   * Range of damaged bytes.
   *
   * @param file  the file of the segment
   * @param from  offset of the first damaged byte
   * @param to    offset behind the last damaged byte; equal to {@code from} if the file is missing or too long
   * @param found description of the damage
   */
  public record Damage(String file, long from, long to, String found) {}


  /** Whether a segment has checksums. */
  public static boolean exist(Path segment) {
    return Files.exists(segment.resolve(FILE));
  }

  /**
   * Writes the checksums of all files in a segment directory, and replaces existing ones.
   *
   * @throws IOException if a file cannot be read, or the checksums cannot be written
   */
  public static void write(Path segment) throws IOException {
    final SortedMap<String, FileChecksums> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(segment)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        final String name = path.getFileName().toString();
        if (!name.startsWith(FILE)) {
          files.put(name, read(path, Files.size(path), LOG_BLOCK_SIZE));
        }
      }
    }
    final Path unfinished = segment.resolve(FILE + ".tmp");
    try {
      Files.write(unfinished, new SegmentChecksums(LOG_BLOCK_SIZE, files).toBytes());
      Files.move(unfinished, segment.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** Computes the checksums of the first bytes of a file. */
  private static FileChecksums read(Path path, long length, int logBlockSize) throws IOException {
    final int[] blocks = new int[numBlocks(length, logBlockSize)];
    final byte[] block = new byte[(int) Math.min(length, 1L << logBlockSize)];
    try (InputStream in = Files.newInputStream(path)) {
      long left = length;
      for (int i = 0; i < blocks.length; i++) {
        final int size = in.readNBytes(block, 0, (int) Math.min(left, block.length));
        blocks[i] = crc(block, size);
        left -= size;
      }
    }
    return new FileChecksums(length, IntList.of(blocks));
  }

  private static int numBlocks(long length, int logBlockSize) {
    return Math.toIntExact((length + (1L << logBlockSize) - 1) >> logBlockSize);
  }

  private static int crc(byte[] bytes, int size) {
    final CRC32C crc = new CRC32C();
    crc.update(bytes, 0, size);
    return (int) crc.getValue();
  }

  private byte[] toBytes() {
    int size = HEAD_SIZE + Integer.BYTES;
    for (Map.Entry<String, FileChecksums> file : files.entrySet()) {
      size = Math.addExact(size, Short.BYTES + file.getKey().getBytes(StandardCharsets.UTF_8).length + Long.BYTES
          + file.getValue().blocks.size() * Integer.BYTES);
    }
    final ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put(VERSION).put((byte) logBlockSize).putShort((short) files.size());
    files.forEach((name, file) -> {
      final byte[] text = name.getBytes(StandardCharsets.UTF_8);
      out.putShort((short) text.length).put(text).putLong(file.length);
      file.blocks.forEach(out::putInt);
    });
    out.putInt(crc(out.array(), out.position()));
    return out.array();
  }


  /**
   * Reads the checksums of a segment.
   *
   * @throws ChecksumsException if they are damaged, not checksums, or of a newer version
   * @throws IOException        if the file cannot be read
   */
  public static SegmentChecksums read(Path segment) throws IOException {
    final Path file = segment.resolve(FILE);
    final long size = Files.size(file);
    if (size < HEAD_SIZE + Integer.BYTES || size > MAX_SIZE) {
      throw ChecksumsException.damaged(
          "it has " + size + " bytes, and has to have " + (HEAD_SIZE + Integer.BYTES) + " to " + MAX_SIZE);
    }
    return of(Files.readAllBytes(file));
  }

  static SegmentChecksums of(byte[] bytes) {
    final ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw ChecksumsException.damaged("it does not begin with SSCK, as a file of checksums does");
    }
    final int end = bytes.length - Integer.BYTES;
    final int crc = crc(bytes, end);
    if (in.getInt(end) != crc) {
      throw ChecksumsException.damaged(StringUtils.format(
          "its own checksum at offset %d is %08x, but that of its bytes is %08x", end, in.getInt(end), crc));
    }
    in.position(MAGIC.length).limit(end);
    final byte version = in.get();
    if (version != VERSION) {
      throw ChecksumsException.newer(
          "the version at offset " + MAGIC.length + " is " + version + ", this druid-shapeshift knows " + VERSION);
    }
    final int logBlockSize = in.get();
    if (logBlockSize < MIN_LOG_BLOCK_SIZE || logBlockSize > MAX_LOG_BLOCK_SIZE) {
      throw ChecksumsException.damaged("logBlockSize at offset " + (in.position() - 1) + " is " + logBlockSize
          + ", but can be " + MIN_LOG_BLOCK_SIZE + " to " + MAX_LOG_BLOCK_SIZE);
    }
    final int numFiles = Short.toUnsignedInt(in.getShort());
    final SortedMap<String, FileChecksums> files = new TreeMap<>();
    for (int i = 0; i < numFiles; i++) {
      final int offset = in.position();
      final String name = readName(in);
      require(in, Long.BYTES, name);
      final long length = in.getLong();
      // Bounds the allocation below by the size of the file.
      if (length < 0 || length > ((long) in.remaining() / Integer.BYTES) << logBlockSize) {
        throw ChecksumsException.damaged(
            name + " is said to have " + length + " bytes at offset " + (in.position() - Long.BYTES) + ", too many");
      }
      if (!files.isEmpty() && name.compareTo(files.lastKey()) <= 0) {
        throw ChecksumsException.damaged(
            name + " at offset " + offset + " is behind " + files.lastKey() + ", out of order");
      }
      final int[] blocks = new int[numBlocks(length, logBlockSize)];
      for (int block = 0; block < blocks.length; block++) {
        blocks[block] = in.getInt();
      }
      files.put(name, new FileChecksums(length, IntList.of(blocks)));
    }
    if (in.hasRemaining()) {
      throw ChecksumsException.damaged(
          "there are " + in.remaining() + " bytes more from offset " + in.position() + " on");
    }
    return new SegmentChecksums(logBlockSize, files);
  }

  private static String readName(ByteBuffer in) {
    require(in, Short.BYTES, "the next file");
    final int size = Short.toUnsignedInt(in.getShort());
    require(in, size, "the next file");
    final int offset = in.position();
    final byte[] text = new byte[size];
    in.get(text);
    final String name = new String(text, StandardCharsets.UTF_8);
    // The name must be that of a file in this directory.
    if (name.isEmpty() || name.equals(".") || name.equals("..") || name.equals(FILE)
        || name.chars().anyMatch(c -> c == '/' || c == '\\' || c == 0)) {
      throw ChecksumsException.damaged("[" + name + "] at offset " + offset + " is no name of a file");
    }
    return name;
  }

  private static void require(ByteBuffer in, int bytes, String of) {
    if (in.remaining() < bytes) {
      throw ChecksumsException.damaged("it ends within what it has of " + of + ", at offset " + in.position());
    }
  }

  /** Total number of blocks. */
  public int numBlocks() {
    return files.values().stream().mapToInt(file -> file.blocks.size()).sum();
  }

  /**
   * Reads all files of a segment and compares them with the checksums. Files without checksums are ignored: they were
   * added after the segment was written.
   *
   * @return damaged ranges, sorted by file and offset; neighbouring blocks are merged
   * @throws IOException if a file cannot be read
   */
  public List<Damage> check(Path segment) throws IOException {
    final List<Damage> damage = new ArrayList<>();
    for (Map.Entry<String, FileChecksums> file : files.entrySet()) {
      final Path path = segment.resolve(file.getKey());
      if (Files.isRegularFile(path)) {
        check(path, file.getValue(), damage);
      } else {
        damage.add(new Damage(file.getKey(), 0, 0, "is missing"));
      }
    }
    damage.sort(Comparator.comparing(Damage::file).thenComparingLong(Damage::from));
    return damage;
  }

  private void check(Path path, FileChecksums expected, List<Damage> damage) throws IOException {
    final String name = path.getFileName().toString();
    final long size = Files.size(path);
    final FileChecksums found = read(path, Math.min(size, expected.length), logBlockSize);
    if (size > expected.length) {
      damage.add(new Damage(
          name, expected.length, expected.length, "has " + size + " bytes, " + expected.length + " were written"));
    }
    // An incomplete last block has no checksum to compare with.
    final int whole = size < expected.length ? (int) (size >> logBlockSize) : expected.blocks.size();
    if (size < expected.length) {
      damage.add(new Damage(
          name,
          (long) whole << logBlockSize,
          expected.length,
          "ends at offset " + size + ", " + expected.length + " bytes were written"
      ));
    }
    for (int i = 0; i < whole; i++) {
      final int first = i;
      while (i < whole && found.blocks.getInt(i) != expected.blocks.getInt(i)) {
        i++;
      }
      if (i > first) {
        damage.add(new Damage(
            name,
            (long) first << logBlockSize,
            Math.min((long) i << logBlockSize, expected.length),
            i == first + 1
            ? StringUtils.format(
                "has the checksum %08x there instead of %08x",
                found.blocks.getInt(first),
                expected.blocks.getInt(first)
            )
            : "has other checksums there"
        ));
      }
    }
  }
}
