package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The journal of a running load. An event is on disk when {@link #append} returns. Thread-safe. */
public final class Journal implements Closeable {
  private final Path file;
  private final FileChannel channel;
  private long number;
  private boolean broken;

  private Journal(Path file, FileChannel channel, long number) {
    this.file = file;
    this.channel = channel;
    this.number = number;
  }

  /**
   * Opens a journal for appending and truncates an incomplete last line.
   *
   * @param read its content; empty for a new journal
   * @throws JobException outside, when the disk fails
   */
  static Journal open(Path file, JournalReader.Content read) {
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      channel.truncate(read.length());
      channel.position(read.length());
      channel.force(true);
      return new Journal(file, channel, read.events().size());
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /**
   * Appends an event.
   *
   * @throws JobException outside, when the disk fails or has failed before: no event may follow an
   *     incomplete line
   */
  public synchronized void append(JournalEvent event) {
    if (broken) {
      throw failed(file, new IOException("an earlier write has failed"));
    }
    broken = true;
    ByteBuffer line = ByteBuffer.wrap(JournalLine.write(number + 1, event));
    try {
      while (line.hasRemaining()) {
        channel.write(line);
      }
      channel.force(false);
      number++;
      broken = false;
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static JobException failed(Path file, IOException e) {
    return JobException.outside(
        "the journal " + file + " cannot be written: " + StorageFailures.reason(e), e);
  }
}
