// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is published is there, whole and for good, and replaces nothing. */
class TemporaryDirectoryTest {
  @TempDir
  private Path folder;

  private static Path write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private static String refusal(TemporaryDirectory temporary, Path from, Path target) {
    final String message =
        assertThrows(ToolException.class, () -> temporary.publish(from, target)).getMessage();
    assertTrue(message.startsWith(target + ": what was written cannot be moved here: "), message);
    return message;
  }

  @Test
  void whatCameToBeMeanwhileIsNotReplaced() throws IOException {
    final Path target = folder.resolve("target");
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(target)) {
      final Path file = write(temporary.path().resolve("file"), "new");
      final Path directory = write(temporary.path().resolve("directory/file"), "new").getParent();
      write(target, "old");
      refusal(temporary, file, target);
      refusal(temporary, directory, target);
      assertEquals("old", Files.readString(target));

      Files.delete(target);
      write(target.resolve("file"), "old");
      refusal(temporary, file, target);
      refusal(temporary, directory, target);
      assertEquals("old", Files.readString(target.resolve("file")));

      Files.delete(target.resolve("file"));
      temporary.publish(directory, target);
      assertEquals("new", Files.readString(target.resolve("file")));
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(target), left.toList());
    }
  }

  @Test
  void aPageReplacesAnother() throws IOException {
    final Path target = write(folder.resolve("target"), "old");
    try (TemporaryDirectory temporary = TemporaryDirectory.beside(target)) {
      temporary.publishOver(write(temporary.path().resolve("file"), "new"), target);
    }
    assertEquals("new", Files.readString(target));
  }

  @Test
  void aLinkIsNotFree() throws IOException {
    assertTrue(TemporaryDirectory.isFree(folder));
    assertFalse(TemporaryDirectory.isFree(Files.createSymbolicLink(folder.resolve("a"), folder.resolve("nowhere"))));
    final Path empty = Files.createDirectory(folder.resolve("empty"));
    assertFalse(TemporaryDirectory.isFree(Files.createSymbolicLink(folder.resolve("b"), empty)));
  }

  /** The process would go on in a directory that is no more, and a mounted one cannot be moved to. */
  @Test
  void someDirectoriesCannotBeReplaced() {
    TemporaryDirectory.requireReplaceable(folder);
    TemporaryDirectory.requireReplaceable(folder.resolve("nowhere"));
    for (Path current : List.of(Path.of(""), Path.of(".").toAbsolutePath().getParent().getParent())) {
      final ToolException e =
          assertThrows(ToolException.class, () -> TemporaryDirectory.requireReplaceable(current));
      assertEquals(current + ": it is the current directory. Name a directory in it", e.getMessage());
    }
    final Path mounted = Path.of("/proc");
    assumeTrue(Files.isDirectory(mounted));
    final ToolException e = assertThrows(ToolException.class, () -> TemporaryDirectory.requireReplaceable(mounted));
    assertEquals(
        mounted + ": another file system is mounted here. Name a directory in it, which can be moved", e.getMessage());
  }

  /** Files before their directory, all of them before the move, and then the directories that lead there. */
  @Test
  void allIsOnTheDiskBeforeAndAfterTheMove() throws IOException {
    final Path target = folder.resolve("made/for/it");
    final Path recorded = folder.resolve("recorded.jfr");
    final Path staged;
    try (Recording recording = new Recording(); TemporaryDirectory temporary = TemporaryDirectory.beside(target)) {
      staged = write(temporary.path().resolve("out/a/file"), "content").getParent().getParent();
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      temporary.publish(staged, target);
      recording.stop();
      recording.dump(recorded);
    }
    final List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(recorded));
    events.sort(Comparator.comparing(RecordedEvent::getStartTime));
    assertEquals(
        List.of(
            staged.resolve("a/file"), staged.resolve("a"), staged,
            folder.resolve("made/for"), folder.resolve("made"), folder
        ),
        events.stream().map(event -> Path.of(event.getString("path"))).toList()
    );
  }
}
