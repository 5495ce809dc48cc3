package io.tsdbsuite.report.write;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Where a report goes, in UTF-8: a file that appears when it is complete, or a stream. */
public final class Output implements Closeable {
  private final Path target;
  private final Path part;
  private final Writer writer;
  private boolean committed;

  private Output(Path target, Path part, OutputStream out) {
    this.target = target;
    this.part = part;
    writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
  }

  /** Writes to a stream, as it comes; the stream stays open. */
  public static Output to(OutputStream out) {
    return new Output(null, null, out);
  }

  /**
   * Writes beside the file, and puts it in place at {@link #commit}.
   *
   * @throws IOException when nothing can be written there
   */
  public static Output to(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    return new Output(target, part, Files.newOutputStream(part, StandardOpenOption.CREATE_NEW));
  }

  /** Takes the report. */
  public Writer writer() {
    return writer;
  }

  /**
   * The report is complete.
   *
   * @throws IOException when it could not be written or put in place
   */
  public void commit() throws IOException {
    writer.flush();
    if (target != null) {
      writer.close();
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    committed = true;
  }

  /** Removes a file that was not committed. */
  @Override
  public void close() throws IOException {
    if (target != null && !committed) {
      writer.close();
      Files.deleteIfExists(part);
    }
  }
}
