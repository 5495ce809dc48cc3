package io.tsdbsuite.bulk.report;

import io.tsdbsuite.job.JobException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The file of one {@link RejectForm}; made with its first line. Not thread-safe. */
final class FormFile implements Closeable {
  private final Path path;
  private @Nullable FileChannel channel;
  private long length;

  FormFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Bytes on disk. */
  long length() {
    return length;
  }

  /**
   * Truncates the file to its committed length.
   *
   * @throws JobException usage, when the file is shorter than that
   */
  void cut(long committed) throws IOException {
    long found = Files.exists(path) ? Files.size(path) : 0;
    if (found < committed) {
      throw JobException.usage(
          ("the reject file %s must have at least the %s bytes that the load has written to"
                  + " it, found %s")
              .formatted(path, committed, found));
    }
    if (found > 0) {
      length = committed;
      open();
    }
  }

  private FileChannel open() throws IOException {
    FileChannel opened =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel = opened;
    opened.truncate(length);
    opened.position(length);
    return opened;
  }

  void readSamples(RejectSamples samples) throws IOException {
    if (channel == null) {
      return;
    }
    // Lines need not be UTF-8, and a reader is strict about it.
    try (BufferedReader reader = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      String text = null;
      String comment = reader.readLine();
      while (comment != null && !samples.full()) {
        String next = reader.readLine();
        boolean further = next == null || RejectSample.read(utf8(next), "") != null;
        text = further && text != null ? text : next;
        RejectSample sample = text == null ? null : RejectSample.read(utf8(comment), shown(text));
        if (sample == null) {
          return;
        }
        samples.add(sample);
        comment = further ? next : reader.readLine();
      }
    }
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static String shown(String bytes) {
    return RejectSamples.shown(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Appends and syncs to disk. */
  void write(byte[] lines) throws IOException {
    FileChannel opened = channel == null ? open() : channel;
    ByteBuffer rest = ByteBuffer.wrap(lines);
    while (rest.hasRemaining()) {
      opened.write(rest);
    }
    opened.force(true);
    length += lines.length;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
