package io.tsdbsuite.nightly.snapshot;

import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Tells corrupt files of a snapshot from storage that does not answer: HBase has one exception for
 * both.
 */
final class CorruptFiles {
  /** HDFS has lost all replicas of a block. */
  private static final String LOST_BLOCK = "BlockMissingException";

  private CorruptFiles() {}

  /** Whether corrupt content is the cause. */
  static boolean caused(CorruptedSnapshotException failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof InvalidProtocolBufferException
          || t instanceof ChecksumException
          || t.getClass().getSimpleName().equals(LOST_BLOCK)) {
        return true;
      }
    }
    return false;
  }

  static CorruptedSnapshotException withoutTable(Path dir) {
    return new CorruptedSnapshotException(
        dir + " names no table", new InvalidProtocolBufferException("no table"));
  }
}
