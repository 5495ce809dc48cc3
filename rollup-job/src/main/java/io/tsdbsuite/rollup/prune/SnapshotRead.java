package io.tsdbsuite.rollup.prune;

import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * A manifest compared with an archive.
 *
 * @param dir the snapshot's directory
 * @param table the snapshot's table
 * @param missing names of files that are missing or have another size
 * @param samples the first of them, each with its problem
 * @param deleted how many of the missing files this run has deleted
 */
record SnapshotRead(
    SnapshotDir dir, TableName table, long missing, List<String> samples, long deleted) {
  boolean isWhole() {
    return missing == 0;
  }

  /** The same of another listing of the directory. */
  SnapshotRead of(SnapshotDir listed) {
    return new SnapshotRead(listed, table, missing, samples, deleted);
  }

  /** What is missing. */
  String problem() {
    return "snapshot '"
        + dir.name()
        + "' is not whole: "
        + missing
        + " of the files that its manifest names are missing or have another size: "
        + String.join("; ", samples)
        + (missing > samples.size() ? "; ..." : "");
  }
}
