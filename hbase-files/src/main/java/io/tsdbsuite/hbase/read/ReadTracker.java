package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageFailures;
import java.io.IOException;
import org.apache.hadoop.fs.ChecksumException;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes and requests of one reader, and records the position of the last request: the
 * cause if HBase cannot decode the bytes. For one thread.
 */
public final class ReadTracker {
  private long bytes;
  private long readCalls;
  private String file = "";
  private long offset;
  private @Nullable IOException storageFailure;
  private boolean refused;

  /** Number of bytes that storage delivered. */
  public long bytes() {
    return bytes;
  }

  /** Number of read calls to the file system. */
  public long readCalls() {
    return readCalls;
  }

  /** The HFile of the last read. */
  String file() {
    return file;
  }

  /** Offset of the last read in its HFile, bytes. */
  public long offset() {
    return offset;
  }

  /**
   * Whether the file system itself failed, or the process lacks the means to read the file, or the
   * file is missing or has another length; in contrast to corrupt bytes.
   */
  public boolean hasStorageFailed() {
    return storageFailure != null || refused;
  }

  /** Records that the process lacks the means to read a file, or that it is not that file. */
  void refuse() {
    refused = true;
  }

  /** Returns the failure of the file system, and forgets it; null if it has not failed. */
  @Nullable IOException takeFailure() {
    IOException failure = storageFailure;
    storageFailure = null;
    return failure;
  }

  /**
   * Checks that a failure comes from corrupt bytes.
   *
   * @throws IOException when the file system itself failed
   */
  void requireStorage(Throwable failure) throws IOException {
    if (storageFailure != null) {
      throw new IOException(
          "reading HFile " + file + " failed: " + storageFailure.getMessage(), failure);
    }
  }

  /** The message for an HFile that cannot be opened because its bytes are corrupt. */
  public String describe(Exception failure) {
    return ("HFile %s is corrupt or truncated: its trailer or index near offset %s cannot be"
            + " read: %s")
        .formatted(file, offset, StorageFailures.reason(failure));
  }

  /** Records the position of a read, from storage or from fetched bytes. */
  void at(String hfile, long position) {
    file = hfile;
    offset = position;
  }

  /** Records the start of a request to storage. */
  void reading() {
    readCalls++;
  }

  void delivered(int count) {
    if (count > 0) {
      bytes += count;
    }
  }

  IOException failed(IOException e) {
    // If a file system finds wrong bytes by its own checksums, the file is corrupt, not storage.
    if (!(e instanceof ChecksumException)) {
      storageFailure = e;
    }
    return e;
  }
}
