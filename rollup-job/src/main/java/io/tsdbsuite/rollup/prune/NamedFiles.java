package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.snapshot.DataManifest;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** The files that the manifest of a snapshot names, compared with an archive. */
final class NamedFiles {
  private static final int SAMPLES = 3;

  private final String snapshot;
  private final TableName table;
  private final List<String> samples = new ArrayList<>();
  private long missing;
  private long deleted;

  /**
   * Reads the manifest of a snapshot.
   *
   * @param archive the files
   * @param before the files before this run deleted some; the same as {@code archive} before that
   * @param mark whether the snapshot stays, so that its files are marked as named
   * @throws io.tsdbsuite.hbase.StorageException bad input, when the manifest is cut off or damaged
   */
  NamedFiles(BackupRoot root, SnapshotDir dir, Archive archive, Archive before, boolean mark)
      throws IOException {
    snapshot = dir.name();
    try (InputStream in = root.files().open(new Path(dir.path(), SnapshotDir.MANIFEST))) {
      table =
          DataManifest.read(
              snapshot,
              in,
              (path, size) -> compare(path, size, archive.find(path), before.find(path), mark));
    }
  }

  private void compare(
      StoreFilePath path,
      long size,
      Archive.@Nullable StoredFile file,
      Archive.@Nullable StoredFile was,
      boolean mark) {
    if (file != null && mark) {
      file.named = true;
    }
    if (file == null || file.deleted) {
      if (was != null && was.deleted) {
        deleted++;
      }
      fail(path, "is missing");
    } else if (size != DataManifest.UNKNOWN_SIZE && size != file.bytes) {
      fail(path, "has " + file.bytes + " bytes, the manifest states " + size);
    }
  }

  private void fail(StoreFilePath path, String problem) {
    missing++;
    if (samples.size() < SAMPLES) {
      samples.add(path.directory() + "/" + path.file() + " " + problem);
    }
  }

  /** The snapshot's table. */
  TableName table() {
    return table;
  }

  /** Whether all files are there and have their sizes. */
  boolean areWhole() {
    return missing == 0;
  }

  /** How many of the missing files this run has deleted. */
  long deleted() {
    return deleted;
  }

  /** What is missing. */
  String problem() {
    return "snapshot '"
        + snapshot
        + "' is not whole: "
        + missing
        + " of the files that its manifest names are missing or have another size: "
        + String.join("; ", samples)
        + (missing > samples.size() ? "; ..." : "");
  }
}
