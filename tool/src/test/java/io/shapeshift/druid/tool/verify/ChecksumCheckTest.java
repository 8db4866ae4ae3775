// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.convert.Conversion;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.inspect.InspectCommand;
import io.shapeshift.druid.tool.segment.InternalFile;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.apache.commons.io.FileUtils;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** What commands make of the checksums beside a segment. */
@Tag("slow")
class ChecksumCheckTest {
  /** Enough rows that their doubles are in several blocks. */
  private static final int ROWS = Tier.pick(9_000, 20_000);
  private static final int BLOCK = 1 << 16;

  /** Segments that no test changes. */
  @TempDir
  private static Path shared;

  @TempDir
  private Path folder;

  @BeforeAll
  static void writeSegments() {
    for (Version version : Version.values()) {
      TestSegments.persist(
          EveryColumn.inMemory(1, ROWS), ours(version).toFile(), TestSegments.ALL_SHAPE_SHIFT, version);
    }
  }

  private static Path ours(Version version) {
    return shared.resolve(version.toString());
  }

  private Path copy(Version version) throws IOException {
    final Path copy = folder.resolve("copy");
    FileUtils.deleteDirectory(copy.toFile());
    FileUtils.copyDirectory(ours(version).toFile(), copy.toFile());
    return copy;
  }

  /** What a command prints, and exits with. */
  private record Said(int exitCode, List<String> lines) {
    static Said of(Object command, Object... args) {
      final StringWriter out = new StringWriter();
      final int exitCode = new CommandLine(command)
          .setOut(new PrintWriter(out))
          .execute(Arrays.stream(args).map(String::valueOf).toArray(String[]::new));
      return new Said(exitCode, out.toString().lines().toList());
    }

    String last() {
      return lines.get(lines.size() - 1);
    }
  }

  private static void change(Path file, long at) throws IOException {
    final byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= 1;
    Files.write(file, bytes);
  }

  private static String containerOf(Version version) {
    return version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME;
  }

  /** One bit of a number, which gives another number: nothing else would find it. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aDamagedNumberIsFoundAndNamed(Version version) throws IOException {
    final Path segment = copy(version);
    final String name = version == Version.V9 ? "real" : "__base/real";
    final InternalFile real = InternalFile.of(segment).stream()
        .filter(file -> file.name().equals(name)).findFirst().orElseThrow();
    final long at = (real.start() + real.end()) / 2;
    final long from = at / BLOCK * BLOCK;
    assertTrue(real.start() <= from || real.end() >= from + BLOCK, "a block with another file in it, and this one");
    change(segment.resolve(real.file()), at);

    final Said said = Said.of(new VerifyCommand(), segment);
    assertEquals(1, said.exitCode());
    assertEquals("damaged: 1 problem", said.last());
    final long first = Math.max(from, real.start()) - real.start();
    final long last = Math.min(from + BLOCK, real.end()) - real.start() - 1;
    assertTrue(
        said.lines().get(1).matches(
            "file " + containerOf(version) + ", bytes " + from + " to " + (from + BLOCK - 1)
                + ": it has the checksum [0-9a-f]{8} there instead of [0-9a-f]{8}\\. There are .*"
        ),
        said.lines().get(1)
    );
    final String there = (first == 0 && last == real.end() - real.start() - 1
                          ? "all of "
                          : "bytes " + first + " to " + last + " of ") + name;
    assertTrue(said.lines().get(1).contains(there), said.lines().get(1) + " has not " + there);
    // Whatever columns are asked for.
    assertEquals(1, Said.of(new VerifyCommand(), segment, "--columns", "plain").exitCode());

    final Said compared = Said.of(new VerifyCommand(), ours(version), segment);
    assertEquals(1, compared.exitCode());
    assertEquals("in the second: " + said.lines().get(1), compared.lines().get(1));

    final Path zip = folder.resolve("index.zip");
    CompressionUtils.zip(segment.toFile(), zip.toFile());
    assertEquals(said.lines().get(1), Said.of(new VerifyCommand(), zip).lines().get(1));
    assertEquals(0, Said.of(new VerifyCommand(), ours(version)).exitCode());

    // There would be new checksums of it otherwise.
    final ToolException e = assertThrows(ToolException.class, () -> convert(segment, "druid-zstd", "out"));
    assertEquals(
        segment + ": " + said.lines().get(1) + ". The segment is damaged: fetch it again from deep storage",
        e.getMessage()
    );
    assertFalse(Files.exists(folder.resolve("out")));
  }

  private Path convert(Path segment, String encoding, String to) {
    final Path out = folder.resolve(to);
    var unused = new Conversion(RowEncodings.parse(encoding), false)
        .run(segment, List.of(new SegmentLocation(segment)), out);
    return out;
  }

  /** Where the segment cannot be opened, that is the second thing to say. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void whatCannotBeOpened(Version version) throws IOException {
    final Path segment = copy(version);
    final Path file = segment.resolve(version == Version.V9 ? "meta.smoosh" : IndexIO.V10_FILE_NAME);
    final byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 2, 100, (byte) 0);
    Files.write(file, bytes);
    final Said said = Said.of(new VerifyCommand(), segment);
    assertEquals(3, said.exitCode());
    final int end = Math.min(BLOCK, bytes.length) - 1;
    assertTrue(
        said.lines().get(1).startsWith(
            "file " + file.getFileName() + ", bytes 0 to " + end + ": it has the checksum "),
        said.lines().get(1)
    );
    assertTrue(said.lines().get(2).startsWith("it cannot be opened: "), said.lines().get(2));
    assertEquals("1 segment could not be checked; damaged: 1 problem", said.last());
  }

  @Test
  void filesThatAreShorterOrMissing() throws IOException {
    final Path segment = copy(Version.V9);
    final Path container = segment.resolve("00000.smoosh");
    final byte[] bytes = Files.readAllBytes(container);
    Files.write(container, Arrays.copyOf(bytes, bytes.length - 1));
    Files.delete(segment.resolve("factory.json"));
    final List<String> messages = ChecksumCheck.run(segment).stream().map(Finding::message).toList();
    final int block = (bytes.length - 1) / BLOCK * BLOCK;
    assertEquals(2, messages.size(), messages::toString);
    assertTrue(
        messages.get(0).startsWith(String.format(
            Locale.ROOT,
            "file 00000.smoosh, bytes %d to %d: it ends at offset %d, %d bytes were written. There are ",
            block,
            bytes.length - 1,
            bytes.length - 1,
            bytes.length
        )),
        messages.get(0)
    );
    assertEquals("file factory.json is missing", messages.get(1));
  }

  @Test
  void damagedNewerAndForeignChecksums() throws IOException {
    final Path segment = copy(Version.V10);
    final Path file = segment.resolve(SegmentChecksums.FILE);
    final byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    Said said = Said.of(new VerifyCommand(), segment);
    assertEquals(1, said.exitCode());
    assertTrue(said.lines().get(1).startsWith("shapeshift.checksums: its own checksum at offset "), said::toString);
    assertEquals("damaged: 1 problem", said.last());

    Files.writeString(file, "sha256sum of this and that");
    said = Said.of(new VerifyCommand(), segment);
    assertEquals(1, said.exitCode());
    assertTrue(said.lines().get(1).startsWith("shapeshift.checksums: it does not begin with SSCK"), said::toString);

    bytes[4] = 2;
    final CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    for (int i = 0; i < 4; i++) {
      bytes[bytes.length - 4 + i] = (byte) (crc.getValue() >> (8 * i));
    }
    Files.write(file, bytes);
    said = Said.of(new VerifyCommand(), segment);
    assertEquals(3, said.exitCode());
    assertTrue(said.lines().get(1).contains("A newer druid-shapeshift wrote the segment"), said::toString);
    assertEquals("1 segment could not be checked", said.last());
    assertEquals(
        segment + ": " + said.lines().get(1), refusal(segment), "it is not said to be damaged: it need not be");

    Files.delete(file);
    Files.createDirectory(file);
    assertTrue(refusal(segment).startsWith(segment + ": its checksums cannot be compared: "), refusal(segment));
    assertFalse(refusal(segment).contains("The segment is damaged"), refusal(segment));
  }

  private String refusal(Path segment) {
    return assertThrows(ToolException.class, () -> convert(segment, "druid-lz4", "refused")).getMessage();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void convertedSegmentsHaveTheirOwn(Version version) throws IOException {
    final Path ours = TestSegments.persist(
        EveryColumn.inMemory(1, Tier.pick(300, ROWS)),
        folder.resolve("ours").toFile(),
        TestSegments.ALL_SHAPE_SHIFT,
        version
    ).toPath();
    final Path stock = convert(ours, "druid-lz4", "stock");
    assertFalse(SegmentChecksums.exist(stock));
    final Path again = convert(stock, "shapeshift-smaller", "again");
    assertEquals(List.of(), SegmentChecksums.read(again).check(again));
    final Path other = convert(ours, "shapeshift-faster", "other");
    assertEquals(List.of(), SegmentChecksums.read(other).check(other));
    assertTrue(Files.mismatch(ours.resolve(SegmentChecksums.FILE), other.resolve(SegmentChecksums.FILE)) >= 0);

    assertTrue(Said.of(new InspectCommand(), again).lines().get(0).endsWith(" bytes, with checksums"));
    assertTrue(Said.of(new InspectCommand(), stock).lines().get(0).endsWith(" bytes, no checksums"));
  }
}
