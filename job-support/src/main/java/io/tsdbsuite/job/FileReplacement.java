package io.tsdbsuite.job;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
    // A channel would refuse an interrupted thread, and its report would be lost.
    try (FileOutputStream out = new FileOutputStream(part.toFile())) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      // Without it, the rename could reach the disk before the bytes.
      out.getFD().sync();
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
