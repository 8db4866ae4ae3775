// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Bytes;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Zip files that are not what they declare, or too much. */
class SegmentZipTest {
  /** Of a file's record in the directory at the end of a zip file. */
  private static final byte[] RECORD = {'P', 'K', 1, 2};
  private static final int CHECKSUM_OFFSET = 16;
  private static final int SIZE_OFFSET = 24;

  private static final byte[] CONTENT = new byte[1000];

  @TempDir
  private Path folder;
  private Path zip;
  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    zip = folder.resolve("index.zip");
    directory = Files.createDirectory(folder.resolve("unpacked"));
  }

  private void write(String... names) throws IOException {
    try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (String name : names) {
        out.putNextEntry(new ZipEntry(name));
        out.write(CONTENT);
      }
    }
  }

  /** Writes a file of which the record declares something else at an offset. */
  private void writeDeclaring(int offset, int value) throws IOException {
    write("a");
    final byte[] bytes = Files.readAllBytes(zip);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(Bytes.indexOf(bytes, RECORD) + offset, value);
    Files.write(zip, bytes);
  }

  private String refusal() {
    return assertThrows(ToolException.class, () -> SegmentZip.unpack(zip, directory)).getMessage();
  }

  private List<Path> unpacked() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void twoEntriesOfOneName() throws IOException {
    write("ab", "cd");
    final byte[] bytes = Files.readAllBytes(zip);
    for (int at = Bytes.indexOf(bytes, new byte[]{'c', 'd'}); at >= 0;
         at = Bytes.indexOf(bytes, new byte[]{'c', 'd'})) {
      bytes[at] = 'a';
      bytes[at + 1] = 'b';
    }
    Files.write(zip, bytes);
    assertEquals(
        zip + ": it has two entries named ab. The zip file is damaged: fetch it again from deep storage", refusal());
    assertEquals(List.of(), unpacked());
  }

  @Test
  void filesAreUnpackedAndFoldersAreNot() throws IOException {
    try (var out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("folder/"));
      out.putNextEntry(new ZipEntry("a"));
      out.write(CONTENT);
      out.putNextEntry(new ZipEntry("b"));
    }
    SegmentZip.unpack(zip, directory, CONTENT.length);
    assertEquals(List.of(directory.resolve("a"), directory.resolve("b")), unpacked());
    assertArrayEquals(CONTENT, Files.readAllBytes(directory.resolve("a")));
    assertEquals(0, Files.size(directory.resolve("b")));
  }

  @Test
  void noMoreIsUnpackedThanThereIsRoomFor() throws IOException {
    write("a", "b");
    final ToolException e =
        assertThrows(ToolException.class, () -> SegmentZip.unpack(zip, directory, 2L * CONTENT.length - 1));
    assertEquals(
        zip + ": unzipped it takes 2,000 bytes, and there are 1,999 free in " + folder + ". Make room there, or keep "
            + "temporary files elsewhere with SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER",
        e.getMessage()
    );
    assertEquals(List.of(), unpacked());
  }

  @Test
  void aFileThatGrowsBeyondWhatItDeclares() throws IOException {
    writeDeclaring(SIZE_OFFSET, 10);
    assertEquals(
        zip + ": its entry a has more than the 10 bytes that it declares. "
            + "The zip file is damaged: fetch it again from deep storage",
        refusal()
    );
    assertEquals(11, Files.size(directory.resolve("a")), "no more of it was written");
  }

  @Test
  void aFileThatEndsBeforeItShould() throws IOException {
    writeDeclaring(SIZE_OFFSET, 1001);
    assertEquals(
        zip + ": its entry a has less than the 1,001 bytes that it declares. "
            + "The zip file is damaged: fetch it again from deep storage",
        refusal()
    );
  }

  @Test
  void aFileThatIsNotWhatWasZipped() throws IOException {
    writeDeclaring(CHECKSUM_OFFSET, 0x12345678);
    assertEquals(
        zip + ": its entry a differs from the checksum that it declares. "
            + "The zip file is damaged: fetch it again from deep storage",
        refusal()
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "/a", "folder/a", "..", ".", "..\\a"})
  void aFileElsewhere(String name) throws IOException {
    write("version.bin", name);
    assertEquals(
        zip + ": its entry " + name + " is not the name of a file alone. "
            + "Name an index.zip as Druid pushes it to deep storage, its files not in a folder",
        refusal()
    );
    assertEquals(List.of(), unpacked());
    assertTrue(Files.notExists(folder.resolve("a")));
  }
}
