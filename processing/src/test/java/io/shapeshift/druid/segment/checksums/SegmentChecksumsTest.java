// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.checksums;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums.Damage;
import io.shapeshift.druid.testing.Golden;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.commons.io.FileUtils;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes of checksums, what they find, and that Druid takes no notice of them. */
@ExtendWith(RandomData.Seeded.class)
class SegmentChecksumsTest {
  private static final int BLOCK = 1 << SegmentChecksums.LOG_BLOCK_SIZE;
  private static final String DAMAGED =
      ". This file is damaged, and may not be the only one: fetch the segment again from deep storage";

  @TempDir
  private Path folder;
  private Path segment;

  @BeforeEach
  void makeDirectory() throws IOException {
    segment = Files.createDirectory(folder.resolve("segment"));
  }

  /** A file of so many bytes, as a formula gives them. */
  private static byte[] content(int length) {
    final byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (31 * i + (i >> 8));
    }
    return bytes;
  }

  private byte[] checksumsOf(String spec) {
    try {
      FileUtils.cleanDirectory(segment.toFile());
      for (String file : Splitter.on(' ').split(spec)) {
        final List<String> parts = Splitter.on(':').splitToList(file);
        Files.write(segment.resolve(parts.get(0)), content(Integer.parseInt(parts.get(1))));
      }
      SegmentChecksums.write(segment);
      return Files.readAllBytes(segment.resolve(SegmentChecksums.FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void goldenBytes() throws IOException {
    for (Golden.Example example : Golden.checkExamples(Golden.file("checksums"), each -> checksumsOf(each.spec()))) {
      checksumsOf(example.spec());
      Files.write(segment.resolve(SegmentChecksums.FILE), example.bytes());
      assertEquals(List.of(), SegmentChecksums.read(segment).check(segment), example.spec());
    }
  }

  @Test
  void damageIsFoundWhereItIs() throws IOException {
    checksumsOf("a:10 b:" + (5 * BLOCK + 7) + " c:0");
    final SegmentChecksums checksums = SegmentChecksums.read(segment);
    assertEquals(1 + 6, checksums.numBlocks());
    assertEquals(List.of(), checksums.check(segment));

    final Path b = segment.resolve("b");
    final byte[] intact = Files.readAllBytes(b);
    for (int at : new int[] {0, BLOCK - 1, BLOCK, 3 * BLOCK + 1, 5 * BLOCK, intact.length - 1}) {
      final byte[] flipped = intact.clone();
      flipped[at] ^= 4;
      Files.write(b, flipped);
      final Damage damage = only(checksums);
      assertEquals("b", damage.file());
      assertEquals((long) at / BLOCK * BLOCK, damage.from());
      assertEquals(Math.min((long) at / BLOCK * BLOCK + BLOCK, intact.length), damage.to());
      assertTrue(damage.found().matches("has the checksum [0-9a-f]{8} there instead of [0-9a-f]{8}"), damage.found());
    }
    final byte[] zeroed = intact.clone();
    Arrays.fill(zeroed, BLOCK + 5, 3 * BLOCK + 5, (byte) 0);
    zeroed[intact.length - 1]++;
    Files.write(b, zeroed);
    assertEquals(
        List.of(
            List.of(1L * BLOCK, 4L * BLOCK),
            List.of(5L * BLOCK, 5L * BLOCK + 7)
        ),
        checksums.check(segment).stream().map(damage -> List.of(damage.from(), damage.to())).toList()
    );
    Files.write(b, Arrays.copyOf(intact, 2 * BLOCK + 1));
    assertEquals(
        new Damage("b", 2L * BLOCK, intact.length, "ends at offset 131073, 327687 bytes were written"),
        only(checksums)
    );
    Files.write(b, Arrays.copyOf(intact, intact.length + 1));
    assertEquals(
        new Damage("b", intact.length, intact.length, "has 327688 bytes, 327687 were written"), only(checksums));
    Files.delete(b);
    assertEquals(new Damage("b", 0, 0, "is missing"), only(checksums));

    Files.write(b, intact);
    Files.write(segment.resolve("added later"), intact);
    assertEquals(List.of(), checksums.check(segment));
  }

  private Damage only(SegmentChecksums checksums) throws IOException {
    final List<Damage> damage = checksums.check(segment);
    assertEquals(1, damage.size(), damage::toString);
    return damage.get(0);
  }

  /** Whatever happens to the checksums themselves is told of, and nothing else happens. */
  @Test
  void damagedChecksumsAreRefused(RandomData random) {
    final byte[] intact = checksumsOf("a:10 b:" + (5 * BLOCK + 7));
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      assertRefused(() -> read(cut), DAMAGED);
    }
    for (int at = 0; at < intact.length; at++) {
      final byte[] changed = intact.clone();
      changed[at] ^= (byte) (1 << random.nextInt(8));
      assertRefused(() -> read(changed), DAMAGED);
    }
    // With the right checksum, somebody meant it.
    for (int i = 0; i < Tier.pick(5_000, 20_000); i++) {
      final byte[] changed = intact.clone();
      for (int times = random.between(1, 3); times > 0; times--) {
        changed[random.between(5, intact.length - 5)] = (byte) random.nextInt(256);
      }
      try {
        final SegmentChecksums read = SegmentChecksums.of(sealed(changed));
        assertTrue(read.numBlocks() <= intact.length / Integer.BYTES);
      } catch (ChecksumsException e) {
        assertTrue(e.getMessage().endsWith(DAMAGED), e.getMessage());
      }
    }
  }

  private SegmentChecksums read(byte[] bytes) throws IOException {
    Files.write(segment.resolve(SegmentChecksums.FILE), bytes);
    return SegmentChecksums.read(segment);
  }

  private static byte[] sealed(byte[] bytes) {
    final CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - Integer.BYTES);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
              .putInt(bytes.length - Integer.BYTES, (int) crc.getValue());
    return bytes;
  }

  private interface Read {
    Object run() throws IOException;
  }

  private static void assertRefused(Read read, String toDo) {
    final ChecksumsException e = assertThrows(ChecksumsException.class, read::run);
    assertTrue(e.getMessage().startsWith("shapeshift.checksums: "), e.getMessage());
    assertTrue(e.getMessage().endsWith(toDo), e.getMessage());
    assertFalse(e.isNewer());
  }

  @Test
  void messages() {
    final byte[] intact = checksumsOf("version.bin:4 ..a:0");
    assertMessage("it has 3 bytes, and has to have 12 to 268435456" + DAMAGED, new byte[3]);
    assertMessage("it does not begin with SSCK, as a file of checksums does" + DAMAGED, new byte[12]);
    assertMessage("logBlockSize at offset 5 is 3, but can be 12 to 24" + DAMAGED, patched(intact, 5, 3));
    assertMessage("[/.a] at offset 10 is no name of a file" + DAMAGED, patched(intact, 10, '/'));
    assertMessage("it ends within what it has of the next file, at offset 46" + DAMAGED, patched(intact, 6, 3));
    assertMessage("there are 25 bytes more from offset 21 on" + DAMAGED, patched(intact, 6, 1));
    assertMessage("..a is said to have 1099511627776 bytes at offset 13, too many" + DAMAGED, patched(intact, 18, 1));
    assertMessage("version.bin at offset 21 is behind z.a, out of order" + DAMAGED, patched(intact, 10, 'z'));
  }

  private void assertMessage(String message, byte[] bytes) {
    assertEquals(
        "shapeshift.checksums: " + message,
        assertThrows(ChecksumsException.class, () -> read(bytes)).getMessage()
    );
  }

  private static byte[] patched(byte[] bytes, int offset, int value) {
    final byte[] patched = bytes.clone();
    patched[offset] = (byte) value;
    return sealed(patched);
  }

  @Test
  void aNewerVersionIsNoDamage() {
    final byte[] later = patched(checksumsOf("a:10"), 4, 2);
    final ChecksumsException e = assertThrows(ChecksumsException.class, () -> read(later));
    assertTrue(e.isNewer());
    assertEquals(
        "shapeshift.checksums: the version at offset 4 is 2, this druid-shapeshift knows 1. A newer druid-shapeshift"
            + " wrote the segment: use the same release, or a newer one",
        e.getMessage()
    );
  }

  // ---- of real segments

  /** All of a segment is covered, Druid's files as well; a segment without our columns has no checksums. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aMergerWritesThemOfOurSegments(Version version, RandomData random) throws IOException {
    final Path ours = folder.resolve("ours");
    TestSegments.persist(EveryColumn.inMemory(1, 5000), ours.toFile(), TestSegments.ALL_SHAPE_SHIFT, version);
    final SegmentChecksums checksums = SegmentChecksums.read(ours);
    assertEquals(List.of(), checksums.check(ours));
    for (String file : names(ours)) {
      if (!file.equals(SegmentChecksums.FILE)) {
        final byte[] bytes = Files.readAllBytes(ours.resolve(file));
        final int at = random.nextInt(bytes.length);
        bytes[at]++;
        Files.write(ours.resolve(file), bytes);
        assertEquals(List.of(file), checksums.check(ours).stream().map(Damage::file).toList());
        bytes[at]--;
        Files.write(ours.resolve(file), bytes, StandardOpenOption.TRUNCATE_EXISTING);
      }
    }
    final Path stock = folder.resolve("stock");
    TestSegments.persist(EveryColumn.inMemory(1, 100), stock.toFile(), TestSegments.STOCK, version);
    assertFalse(SegmentChecksums.exist(stock));
  }

  /** Druid pushes, pulls and opens a segment with whatever files there are, and merges it without them. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void druidCarriesThemAlong(Version version) throws IOException {
    final Path ours = folder.resolve("ours");
    TestSegments.persist(EveryColumn.inMemory(1, 500), ours.toFile(), TestSegments.ALL_SHAPE_SHIFT, version);
    final Path zip = folder.resolve("index.zip");
    CompressionUtils.zip(ours.toFile(), zip.toFile());
    CompressionUtils.unzip(zip.toFile(), segment.toFile());
    assertEquals(names(ours), names(segment));
    assertEquals(List.of(), SegmentChecksums.read(segment).check(segment));
    final Path merged = folder.resolve("merged");
    try (var index = TestSegments.open(segment.toFile())) {
      assertEquals(500, index.getNumRows());
      TestSegments.merger(version).mergeQueryableIndex(
          List.of(index),
          false,
          EveryColumn.METRICS.toArray(new AggregatorFactory[0]),
          null,
          merged.toFile(),
          TestSegments.ALL_SHAPE_SHIFT,
          null,
          -1
      );
    }
    assertEquals(names(ours), names(merged));
    assertEquals(List.of(), SegmentChecksums.read(merged).check(merged));
    final String file = version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME;
    assertArrayEquals(Files.readAllBytes(ours.resolve(file)), Files.readAllBytes(segment.resolve(file)));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
