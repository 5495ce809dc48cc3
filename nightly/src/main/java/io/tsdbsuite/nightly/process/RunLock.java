package io.tsdbsuite.nightly.process;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.nightly.storage.LocalDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a state directory, {@code lock}: the operating system releases it when the process
 * ends, however it ends. The file has the id of the last process, for messages.
 */
public final class RunLock implements AutoCloseable {
  private static final int MAX_ID_BYTES = 20;

  private final FileChannel channel;

  private RunLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @param stateDir created if it does not exist
   * @throws JobException outside, if another process has it, or the disk fails; usage, if the
   *     directory or a file in it cannot be made or written
   */
  public static RunLock take(Path stateDir) {
    Path file = stateDir.resolve("lock");
    FileChannel channel = null;
    LocalDirectory.make("state-dir", stateDir);
    StateDirectory.requireWritable(stateDir);
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = tried(channel);
      if (lock == null) {
        String owner = owner(channel);
        channel.close();
        throw JobException.outside(
            "another rollup-nightly has the lock " + file + ", process " + owner);
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)),
          0);
      return new RunLock(channel);
    } catch (IOException e) {
      throw JobException.outside(file + " cannot be written: " + StorageFailures.reason(e), e);
    }
  }

  private static @Nullable FileLock tried(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This JVM has it.
      return null;
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer id = ByteBuffer.allocate(MAX_ID_BYTES);
    channel.read(id, 0);
    return new String(id.array(), 0, id.position(), StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw JobException.outside("the lock cannot be released: " + StorageFailures.reason(e), e);
    }
  }
}
