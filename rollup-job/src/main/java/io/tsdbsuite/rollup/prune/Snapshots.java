package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.job.JobException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Lists and reads the snapshots of a root, finished ones and those whose export runs. */
final class Snapshots {
  private static final int ATTEMPTS = 60;
  private static final long PAUSE_MILLIS = 500;

  private final BackupRoot root;
  private final Workers workers;
  private final PruneOptions options;
  private final PruneTimes times;

  /**
   * @param times which manifests may just be written
   */
  Snapshots(BackupRoot root, Workers workers, PruneOptions options, PruneTimes times) {
    this.root = root;
    this.workers = workers;
    this.options = options;
    this.times = times;
  }

  /**
   * Lists all directories of snapshots. An export renames its directory at its end: the old place
   * is listed first, so that a snapshot is found at one of them.
   */
  private List<SnapshotDir> list(Others others) throws IOException {
    List<SnapshotDir> all = new ArrayList<>(list(root.list(root.exporting()), true, others));
    List<FileStatus> finished = new ArrayList<>();
    for (FileStatus entry : root.list(root.snapshots())) {
      if (entry.getPath().getName().startsWith(".") && !entry.getPath().equals(root.exporting())) {
        others.add(entry);
      } else if (!entry.getPath().equals(root.exporting())) {
        finished.add(entry);
      }
    }
    all.addAll(list(finished, false, others));
    others.requireNoManifest();
    return all;
  }

  private List<SnapshotDir> list(List<FileStatus> entries, boolean exporting, Others others)
      throws IOException {
    entries.stream().filter(FileStatus::isFile).forEach(others::add);
    return workers.map(
        entries.stream().filter(FileStatus::isDirectory).toList(),
        entry -> directory(entry, exporting, others));
  }

  private SnapshotDir directory(FileStatus entry, boolean exporting, Others others)
      throws IOException {
    Map<String, FileStatus> files = new LinkedHashMap<>();
    for (FileStatus file : root.list(entry.getPath())) {
      if (SnapshotDir.isOwn(file)) {
        files.put(file.getPath().getName(), file);
      } else if (exporting) {
        others.addOfExport(file);
      } else {
        others.add(file);
      }
    }
    return new SnapshotDir(entry.getPath().getName(), entry.getPath(), exporting, files);
  }

  /** Lists one directory of a finished snapshot; without files if it does not exist. */
  SnapshotDir find(String name) throws IOException {
    Path path = new Path(root.snapshots(), name);
    Map<String, FileStatus> files = new LinkedHashMap<>();
    root.list(path).stream()
        .filter(SnapshotDir::isOwn)
        .forEach(file -> files.put(file.getPath().getName(), file));
    return new SnapshotDir(name, path, false, files);
  }

  /** The snapshots whose export runs or was broken off. */
  List<SnapshotDir> exporting() throws IOException {
    return list(root.list(root.exporting()), true, new Others(root, workers));
  }

  /** Whether the export of a snapshot runs or was broken off. */
  boolean isExporting(Set<String> names) throws IOException {
    return root.list(root.exporting()).stream()
        .anyMatch(entry -> names.contains(entry.getPath().getName()));
  }

  /** Chooses the manifests to read. */
  @FunctionalInterface
  interface Choice {
    /**
     * Chooses among all snapshots.
     *
     * @return the snapshots to read, each with whether it stays, so that its files are marked
     */
    Map<SnapshotDir, Boolean> of(List<SnapshotDir> dirs);
  }

  /**
   * All snapshots at one time.
   *
   * @param dirs their directories
   * @param reads the manifests that were read
   * @param others paths of entries that are no snapshots
   */
  record Found(List<SnapshotDir> dirs, List<SnapshotRead> reads, Set<String> others) {}

  /**
   * Lists the snapshots and then reads their manifests. A manifest that is just being written is
   * read again until it is whole.
   *
   * @param before the archive before this run deleted files
   * @throws StorageException or {@link JobException} bad input, when a manifest is damaged, absent
   *     or where no export writes one; outside, when it is being written for too long
   */
  Found read(Archive archive, Archive before, Choice choice) throws IOException {
    // A root has thousands of manifests, and one that is being written is read up to 60 times.
    Map<Path, Known> known = new ConcurrentHashMap<>();
    for (int attempt = 1; ; attempt++) {
      Others others = new Others(root, workers);
      try {
        List<SnapshotDir> dirs = list(others);
        List<Map.Entry<SnapshotDir, Boolean>> wanted =
            choice.of(dirs).entrySet().stream().filter(each -> isReadable(each.getKey())).toList();
        List<SnapshotRead> reads =
            workers.map(
                wanted, each -> read(each.getKey(), archive, before, each.getValue(), known));
        return new Found(dirs, reads, others.paths());
      } catch (BeingWrittenException e) {
        if (attempt == ATTEMPTS) {
          throw JobException.outside(
              e.getMessage()
                  + ": its export has written nothing more for "
                  + ATTEMPTS * PAUSE_MILLIS / TimeUnit.SECONDS.toMillis(1)
                  + " s; run prune again when the export has ended, or delete the directory if none"
                  + " runs",
              e);
        }
        pause();
      }
    }
  }

  /**
   * Whether there is a manifest to read.
   *
   * @throws BeingWrittenException when it should be there soon
   */
  private boolean isReadable(SnapshotDir dir) {
    if (dir.files().isEmpty()) {
      return false;
    }
    if (dir.manifest() != null) {
      return true;
    }
    String problem = root.relative(dir.path()) + " has no " + SnapshotDir.MANIFEST;
    if (dir.changedAfter(times.recent())) {
      throw new BeingWrittenException(problem, null);
    }
    if (dir.exporting()) {
      // An export that was broken off before it copied any HFile.
      return false;
    }
    throw JobException.badInput(
        problem + ", so the HFiles that it needs are unknown: " + advice(dir));
  }

  /** A manifest that an earlier attempt has read. */
  private record Known(String version, boolean mark, SnapshotRead read) {}

  private SnapshotRead read(
      SnapshotDir dir, Archive archive, Archive before, boolean mark, Map<Path, Known> known)
      throws IOException {
    Known earlier = known.get(dir.path());
    if (earlier != null && earlier.mark == mark && earlier.version.equals(dir.version())) {
      return earlier.read.of(dir);
    }
    SnapshotRead read = read(dir, archive, before, mark);
    known.put(dir.path(), new Known(dir.version(), mark, read));
    return read;
  }

  private SnapshotRead read(SnapshotDir dir, Archive archive, Archive before, boolean mark)
      throws IOException {
    String place = root.relative(dir.path());
    try {
      return SnapshotReader.read(root, dir, archive, before, mark);
    } catch (FileNotFoundException e) {
      throw new BeingWrittenException(place + " was removed while it was read", e);
    } catch (StorageException e) {
      if (dir.changedAfter(times.recent())) {
        throw new BeingWrittenException(e.getMessage() + " (" + place + ")", e);
      }
      throw JobException.badInput(
          e.getMessage() + " (" + place + "): the HFiles that it needs are unknown; " + advice(dir),
          e);
    }
  }

  private String advice(SnapshotDir dir) {
    return "export it again with --overwrite, or "
        + (options.date(dir.name()) == null
            ? "ask for whom it is; it has not the name of a snapshot of a --table"
            : "delete this directory");
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
