package io.tsdbsuite.report.snapshot;

import io.tsdbsuite.report.model.ReportException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;

/**
 * The snapshots under one root, which is only read. HBase's scanner restores a snapshot, as small
 * files that refer to the HFiles, into a separate directory below the work directory. Both must be
 * on the same file system.
 */
public final class RestoredSnapshots implements SnapshotReader {
  private final Configuration conf;
  private final Path root;
  private final Path work;

  /**
   * Sets the directories without reading them.
   *
   * @param rootDir an HBase root directory or the target of ExportSnapshot, with its scheme
   * @param workDir on the same file system, outside the root; null for /tmp
   * @param properties of Hadoop and HBase, in addition to those on the class path
   * @throws ReportException wrong use, when the work directory is on another file system or inside
   *     the root; failed, when the file system cannot be reached
   */
  public RestoredSnapshots(String rootDir, String workDir, Map<String, String> properties) {
    conf = HBaseConfiguration.create();
    for (Map.Entry<String, String> property : properties.entrySet()) {
      conf.set(property.getKey(), property.getValue());
    }
    try {
      FileSystem fs = new Path(rootDir).getFileSystem(conf);
      root = fs.makeQualified(new Path(rootDir));
      Path given = new Path(workDir == null ? "/tmp" : workDir);
      work =
          workDir == null
              ? fs.makeQualified(given)
              : given.getFileSystem(conf).makeQualified(given);
      requireSibling(fs);
    } catch (IOException | IllegalArgumentException e) {
      throw ReportException.failed("--root-dir " + rootDir + " cannot be used: " + e, e);
    }
    conf.set(HConstants.HBASE_DIR, root.toString());
  }

  private void requireSibling(FileSystem fs) throws IOException {
    String rule = "--work-dir must be on the file system of --root-dir and not in it, found: ";
    boolean inside = (work.toUri().getPath() + "/").startsWith(root.toUri().getPath() + "/");
    if (inside || !work.getFileSystem(conf).getUri().equals(fs.getUri())) {
      throw ReportException.wrongUse(rule + work + " and " + root);
    }
  }

  @Override
  public SnapshotRows open(
      String snapshot, byte[] start, byte[] stop, byte[] family, byte[]... qualifiers) {
    Scan scan = new Scan().withStartRow(start).withStopRow(stop);
    for (byte[] qualifier : qualifiers) {
      scan.addColumn(family, qualifier);
    }
    try {
      require(snapshot);
      return new RestoredRows(snapshot, new TableSnapshotScanner(conf, root, work, snapshot, scan));
    } catch (IOException | RuntimeException e) {
      if (e instanceof ReportException) {
        throw (ReportException) e;
      }
      throw ReportException.failed(
          "snapshot "
              + snapshot
              + " under "
              + root
              + " cannot be read, by way of "
              + work
              + ": "
              + e,
          e);
    }
  }

  @Override
  public long time(String snapshot) {
    try {
      require(snapshot);
      return SnapshotDescriptionUtils.readSnapshotInfo(
              root.getFileSystem(conf),
              SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root))
          .getCreationTime();
    } catch (IOException e) {
      throw ReportException.failed(
          "snapshot " + snapshot + " under " + root + " cannot be read: " + e, e);
    }
  }

  private void require(String snapshot) throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    Path directory = SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root);
    if (fs.exists(new Path(directory, SnapshotDescriptionUtils.SNAPSHOTINFO_FILE))) {
      return;
    }
    TreeSet<String> found = new TreeSet<>();
    if (fs.exists(directory.getParent())) {
      for (FileStatus status : fs.listStatus(directory.getParent())) {
        if (!status.getPath().getName().startsWith(".")) {
          found.add(status.getPath().getName());
        }
      }
    }
    throw ReportException.wrongUse(
        "snapshot " + snapshot + " must be under " + root + ", found there: " + found);
  }
}
