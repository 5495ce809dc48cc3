package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;

/**
 * A root that ExportSnapshot writes:
 *
 * <pre>
 * .hbase-snapshot/NAME/{.snapshotinfo,data.manifest}         an exported snapshot
 * .hbase-snapshot/.tmp/NAME/...                              the same while its export runs
 * archive/data/NAMESPACE/TABLE/REGION/FAMILY/HFILE           HFiles, shared by snapshots
 * _EXPORTED/DATE.json                                        markers of export-snapshots.sh
 * </pre>
 *
 * @param path with its file system
 * @param workers threads for requests to the file system
 */
record BackupRoot(FileSystem files, Path path, Workers workers) {
  private static final String ARCHIVE = HConstants.HFILE_ARCHIVE_DIRECTORY;
  private static final String MARKERS = "_EXPORTED";

  /** The directory of running exports, below the root. */
  static final String EXPORTING =
      HConstants.SNAPSHOT_DIR_NAME + "/" + SnapshotDescriptionUtils.SNAPSHOT_TMP_DIR_NAME;

  /** What a live HBase has below its root, and an export never. */
  private static final Set<String> LIVE =
      Set.of(
          HConstants.BASE_NAMESPACE_DIR,
          HConstants.CLUSTER_ID_FILE_NAME,
          HConstants.VERSION_FILE_NAME,
          HConstants.HREGION_LOGDIR_NAME,
          HConstants.HREGION_OLDLOGDIR_NAME,
          "MasterData",
          "MasterProcWALs");

  /**
   * Opens a root.
   *
   * @param hadoop settings of its file system
   * @param uri of the root, with its scheme
   * @param workers for requests to it
   * @param unknown receives entries that an export does not write
   * @throws JobException usage, when it does not exist, cannot be read or is not such a root;
   *     outside, when storage fails
   */
  static BackupRoot open(Configuration hadoop, String uri, Workers workers, Unknown unknown) {
    try {
      // Without the slash a bucket has an empty path, to which nothing can be appended.
      Path path = new Path(uri.endsWith("/") ? uri : uri + "/");
      if (path.toUri().getScheme() == null) {
        throw JobException.usage(
            "--snapshot-root must carry its scheme (s3a://, hdfs://, file:///), found: " + uri);
      }
      FileSystem files = path.getFileSystem(hadoop);
      BackupRoot root = new BackupRoot(files, files.makeQualified(path), workers);
      root.requireExport(unknown);
      return root;
    } catch (IllegalArgumentException e) {
      throw JobException.usage("--snapshot-root is no path: '" + uri + "'", e);
    } catch (IOException e) {
      throw JobException.of(StorageFailures.of("--snapshot-root " + uri, e));
    }
  }

  private void requireExport(Unknown unknown) throws IOException {
    List<FileStatus> entries = list(path);
    List<String> live =
        entries.stream().map(entry -> entry.getPath().getName()).filter(LIVE::contains).toList();
    if (!live.isEmpty()) {
      throw JobException.usage(
          ("--snapshot-root must be a target of ExportSnapshot, found the root directory of"
                  + " an HBase: %s has %s; nothing there may be deleted by another program")
              .formatted(path, String.join(", ", live)));
    }
    if (entries.stream().noneMatch(entry -> entry.getPath().equals(snapshots()))) {
      throw JobException.usage(
          ("--snapshot-root must be a target of ExportSnapshot, which has %s, found none in"
                  + " %s")
              .formatted(HConstants.SNAPSHOT_DIR_NAME, path));
    }
    Set<String> known = Set.of(HConstants.SNAPSHOT_DIR_NAME, ARCHIVE, MARKERS);
    for (FileStatus entry : entries) {
      if (!known.contains(entry.getPath().getName())) {
        unknown.add(relative(entry));
      }
    }
    for (FileStatus entry : list(new Path(path, ARCHIVE))) {
      if (!entry.getPath().equals(archive())) {
        unknown.add(relative(entry));
      }
    }
  }

  /** The directory of the namespaces. */
  Path archive() {
    return new Path(new Path(path, ARCHIVE), HConstants.BASE_NAMESPACE_DIR);
  }

  /** A file or directory below the archive. */
  Path archived(String below) {
    return new Path(archive(), below);
  }

  Path snapshots() {
    return new Path(path, HConstants.SNAPSHOT_DIR_NAME);
  }

  /** The directory of the snapshots whose export runs or was broken off. */
  Path exporting() {
    return new Path(snapshots(), SnapshotDescriptionUtils.SNAPSHOT_TMP_DIR_NAME);
  }

  Path markers() {
    return new Path(path, MARKERS);
  }

  /** Whether directories exist only in the names of files, or as empty objects. */
  boolean isObjectStore() {
    return files.getUri().getScheme().toLowerCase(Locale.ROOT).startsWith("s3");
  }

  /** The path below the root, with a slash at the end of a directory. */
  String relative(FileStatus entry) {
    return relative(entry.getPath()) + (entry.isDirectory() ? "/" : "");
  }

  /** The path below the root. */
  String relative(Path below) {
    String base = path.toUri().getPath();
    String full = below.toUri().getPath();
    return full.substring(base.endsWith("/") ? base.length() : base.length() + 1);
  }

  /** The entries of a directory; none if it does not exist. */
  List<FileStatus> list(Path directory) throws IOException {
    List<FileStatus> entries = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> iterator = files.listStatusIterator(directory);
      while (iterator.hasNext()) {
        entries.add(iterator.next());
      }
    } catch (FileNotFoundException e) {
      // Subclasses are other failures, for example S3A's bucket that does not exist.
      if (e.getClass() != FileNotFoundException.class) {
        throw e;
      }
      return List.of();
    }
    return entries;
  }

  /** Files and directories below a root that an export does not write; they are never deleted. */
  static final class Unknown {
    private static final int SAMPLES = 20;

    private final SortedSet<String> samples = new TreeSet<>();
    private long count;

    /**
     * Adds a file or directory.
     *
     * @param path below the root
     */
    synchronized void add(String path) {
      count++;
      samples.add(path);
      if (samples.size() > SAMPLES) {
        samples.remove(samples.last());
      }
    }

    /** The number of all. */
    synchronized long count() {
      return count;
    }

    /** The first of them in alphabetical order. */
    synchronized List<String> samples() {
      return List.copyOf(samples);
    }
  }
}
