package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.snapshot.DataManifest;
import io.tsdbsuite.hbase.snapshot.StoreFilePath;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;

/** Compares one manifest with an archive. */
final class SnapshotReader {
  private static final int SAMPLES = 3;

  private final SnapshotDir dir;
  private final Archive archive;
  private final Archive before;
  private final boolean mark;
  private final List<String> samples = new ArrayList<>();
  private long missing;
  private long deleted;

  private SnapshotReader(SnapshotDir dir, Archive archive, Archive before, boolean mark) {
    this.dir = dir;
    this.archive = archive;
    this.before = before;
    this.mark = mark;
  }

  /**
   * Reads the manifest of a snapshot.
   *
   * @param archive the files
   * @param before the files before this run deleted some; the same as {@code archive} before that
   * @param mark whether the snapshot stays, so that its files are marked as named
   * @throws io.tsdbsuite.hbase.StorageException bad input, when the manifest is cut off or damaged
   */
  static SnapshotRead read(
      BackupRoot root, SnapshotDir dir, Archive archive, Archive before, boolean mark)
      throws IOException {
    SnapshotReader reader = new SnapshotReader(dir, archive, before, mark);
    try (InputStream in = root.files().open(new Path(dir.path(), SnapshotDir.MANIFEST))) {
      TableName table = DataManifest.read(dir.name(), in, reader::visit);
      return reader.result(table);
    }
  }

  private void visit(StoreFilePath path, long size) {
    StoredFile file = archive.find(path);
    if (file != null && mark) {
      file.name();
    }
    if (file == null || file.isDeleted()) {
      StoredFile was = before.find(path);
      if (was != null && was.isDeleted()) {
        deleted++;
      }
      fail(path, "is missing");
    } else if (size != DataManifest.UNKNOWN_SIZE && size != file.bytes()) {
      fail(path, "has " + file.bytes() + " bytes, the manifest states " + size);
    }
  }

  private void fail(StoreFilePath path, String problem) {
    missing++;
    if (samples.size() < SAMPLES) {
      samples.add(path.directory() + "/" + path.file() + " " + problem);
    }
  }

  private SnapshotRead result(TableName table) {
    return new SnapshotRead(dir, table, missing, List.copyOf(samples), deleted);
  }
}
