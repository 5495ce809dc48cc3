package io.tsdbsuite.job;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces files so that a reader, or a process after a crash, finds the old or the new one. */
public final class FileReplacement {
  private FileReplacement() {}

  /**
   * Writes a file, and replaces it if it exists; also in an interrupted thread.
   *
   * @param file in a directory that exists
   */
  public static void write(Path file, byte[] content) throws IOException {
    // The name is constant, so killed runs leave one temporary file, not many.
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, content);
    replace(part, file);
  }

  /** The same with a text, in UTF-8. */
  public static void write(Path file, String text) throws IOException {
    write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Puts a complete file in the place of another one; also in an interrupted thread.
   *
   * @param part in the same directory; it is gone then
   * @throws IOException when the part is missing, or the disk fails
   */
  public static void replace(Path part, Path file) throws IOException {
    // Without it, the rename could reach the disk before the bytes. FileChannel.force refuses an
    // interrupted thread, and an output stream would create a part that is missing.
    try (FileInputStream in = new FileInputStream(part.toFile())) {
      in.getFD().sync();
    }
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
