package io.tsdbsuite.rollup.prune;

import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a snapshot.
 *
 * @param name the snapshot's name
 * @param path the directory
 * @param exporting whether it is below {@code .tmp}: its export runs or was broken off
 * @param files its files by their names
 */
record SnapshotDir(String name, Path path, boolean exporting, Map<String, FileStatus> files) {
  static final String INFO = SnapshotDescriptionUtils.SNAPSHOTINFO_FILE;
  static final String MANIFEST = SnapshotManifest.DATA_MANIFEST_NAME;

  @Nullable FileStatus manifest() {
    return files.get(MANIFEST);
  }

  /** Whether it has both files, without which no reader takes it for a snapshot. */
  boolean isComplete() {
    return !exporting && files.containsKey(INFO) && files.containsKey(MANIFEST);
  }

  /** Distinguishes a manifest from one that replaced it; empty without a manifest. */
  String version() {
    FileStatus manifest = manifest();
    return manifest == null ? "" : manifest.getModificationTime() + "/" + manifest.getLen();
  }

  /** Whether one of its files changed after a time, ms since the epoch. */
  boolean changedAfter(long limit) {
    return files.values().stream().anyMatch(file -> file.getModificationTime() > limit);
  }
}
