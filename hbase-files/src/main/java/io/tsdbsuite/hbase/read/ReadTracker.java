package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageFailures;
import java.io.IOException;
import org.apache.hadoop.fs.ChecksumException;

/**
 * What one reader asked of storage: bytes, requests, and the place of the last request, which is
 * the culprit when HBase cannot make sense of what it got. For one thread.
 */
public final class ReadTracker {
  private long bytes;
  private long readCalls;
  private String file = "";
  private long offset;
  private IOException storageFailure;

  /** Bytes that storage delivered. */
  public long bytes() {
    return bytes;
  }

  /** Read calls that reached the file system. */
  public long readCalls() {
    return readCalls;
  }

  /** The HFile of the last read. */
  String file() {
    return file;
  }

  /** The byte at which the last read of an HFile began. */
  public long offset() {
    return offset;
  }

  /** Whether the file system itself failed, as against delivering bytes that make no sense. */
  public boolean hasStorageFailed() {
    return storageFailure != null;
  }

  /**
   * Makes sure that a failure is one of bytes that make no sense.
   *
   * @throws IOException when it is one of the file system itself
   */
  void requireStorage(Throwable failure) throws IOException {
    if (storageFailure != null) {
      throw new IOException(
          "reading HFile " + file + " failed: " + storageFailure.getMessage(), failure);
    }
  }

  /** Says which HFile cannot be opened, and why, when storage is not to blame. */
  public String describe(Exception failure) {
    return "HFile "
        + file
        + " is corrupt or truncated: its trailer or index near offset "
        + offset
        + " cannot be read: "
        + StorageFailures.reason(failure);
  }

  /** Notes where something is read, from storage or from what was fetched before. */
  void at(String hfile, long position) {
    file = hfile;
    offset = position;
  }

  /** Notes that storage is asked for bytes. */
  void reading() {
    readCalls++;
  }

  void delivered(int count) {
    if (count > 0) {
      bytes += count;
    }
  }

  IOException failed(IOException e) {
    // A file system that finds wrong bytes by checksums of its own has not failed: the file is bad.
    if (!(e instanceof ChecksumException)) {
      storageFailure = e;
    }
    return e;
  }
}
