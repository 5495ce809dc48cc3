package io.tsdbsuite.bulk.journal;

import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file lock of the operating system, released when the process ends. */
final class DirLock implements Closeable {
  private final FileChannel channel;

  private DirLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws JobException usage, when another process, or this one, has it
   */
  static DirLock take(Path directory, Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new DirLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw used(directory);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw used(directory);
  }

  private static JobException used(Path directory) {
    return JobException.usage("another process works in the work directory " + directory);
  }

  /** Syncs the entries of a directory to disk. */
  static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
