package io.tsdbsuite.rollup.prune;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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

  /**
   * A directory as it was listed.
   *
   * @param entries what is in it; none if it does not exist
   */
  static SnapshotDir of(Path path, boolean exporting, List<FileStatus> entries) {
    Map<String, FileStatus> files = new LinkedHashMap<>();
    entries.stream()
        .filter(SnapshotDir::isOwn)
        .forEach(file -> files.put(file.getPath().getName(), file));
    return new SnapshotDir(path.getName(), path, exporting, files);
  }

  /** Whether an entry of the directory is one of the two files of a snapshot. */
  static boolean isOwn(FileStatus entry) {
    String name = entry.getPath().getName();
    return entry.isFile() && (name.equals(INFO) || name.equals(MANIFEST));
  }

  @Nullable FileStatus manifest() {
    return files.get(MANIFEST);
  }

  /** Whether it has both files, without which no reader takes it for a snapshot. */
  boolean isComplete() {
    return !exporting && files.containsKey(INFO) && files.containsKey(MANIFEST);
  }

  /** Whether there is something that a reader takes for a snapshot. */
  boolean hasInfo() {
    return files.containsKey(INFO);
  }

  /** Distinguishes a manifest from one that replaced it; empty without a manifest. */
  String version() {
    FileStatus manifest = manifest();
    return manifest == null ? "" : version(manifest);
  }

  /** Distinguishes its files from those of another listing of the directory, by their names. */
  Map<String, String> versions() {
    Map<String, String> versions = new HashMap<>();
    files.forEach((file, status) -> versions.put(file, version(status)));
    return versions;
  }

  private static String version(FileStatus file) {
    return file.getModificationTime() + "/" + file.getLen();
  }

  /** Whether one of its files changed after a time, ms since the epoch. */
  boolean changedAfter(long limit) {
    return files.values().stream().anyMatch(file -> file.getModificationTime() > limit);
  }
}
