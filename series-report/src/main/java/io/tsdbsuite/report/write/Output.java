package io.tsdbsuite.report.write;

import io.tsdbsuite.job.FileReplacement;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Target of a report, in UTF-8: a stream, or a file that appears when it is complete. */
public final class Output implements Closeable {
  private final @Nullable Path target;
  private final @Nullable Path part;
  private final Writer writer;
  private boolean committed;

  private Output(@Nullable Path target, @Nullable Path part, OutputStream out) {
    this.target = target;
    this.part = part;
    writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
  }

  /** Writes to a stream without a temporary file; the stream stays open. */
  public static Output to(OutputStream out) {
    return new Output(null, null, out);
  }

  /**
   * Writes a temporary file beside the target; {@link #commit} renames it.
   *
   * @throws IOException when the directory is not writable
   */
  public static Output to(Path file) throws IOException {
    Path target = file.toAbsolutePath();
    Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID());
    return new Output(target, part, Files.newOutputStream(part, StandardOpenOption.CREATE_NEW));
  }

  /** Receives the text of the report. */
  public Writer writer() {
    return writer;
  }

  /**
   * Completes the report: flushes it and renames the temporary file.
   *
   * @throws IOException when writing or renaming failed
   */
  public void commit() throws IOException {
    writer.flush();
    if (part != null && target != null) {
      writer.close();
      FileReplacement.replace(part, target);
    }
    committed = true;
  }

  /** Removes the temporary file if it was not committed. */
  @Override
  public void close() throws IOException {
    if (part != null && !committed) {
      writer.close();
      Files.deleteIfExists(part);
    }
  }
}
