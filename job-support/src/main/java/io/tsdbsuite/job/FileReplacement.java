package io.tsdbsuite.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces files so that a reader, or a process after a crash, finds the old or the new one. */
public final class FileReplacement {
  private FileReplacement() {}

  /**
   * Writes a file, and replaces it if it exists.
   *
   * @param file in a directory that exists
   */
  public static void write(Path file, String text) throws IOException {
    // The name is constant, so killed runs leave one temporary file, not many.
    Path part = file.resolveSibling(file.getFileName() + ".part");
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try (FileChannel channel =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      // Without it, the rename could reach the disk before the bytes.
      channel.force(true);
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
