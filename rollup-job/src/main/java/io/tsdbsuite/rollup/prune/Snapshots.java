package io.tsdbsuite.rollup.prune;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.job.JobException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads the manifests of a root, of finished snapshots and of those whose export runs.
 *
 * @param times which manifests may just be written
 */
record Snapshots(BackupRoot root, PruneOptions options, PruneOptions.Times times) {
  private static final int ATTEMPTS = 60;
  private static final long PAUSE_MILLIS = 500;

  /**
   * All snapshots at one time.
   *
   * @param dirs their directories
   * @param named what the manifests name that were read
   * @param strays paths of entries that are no snapshots
   */
  record Found(List<SnapshotDir> dirs, Map<SnapshotDir, NamedFiles> named, Set<String> strays) {}

  /** A snapshot changes at the moment, so that it can be read in a moment. */
  private static final class BeingWrittenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BeingWrittenException(String problem, @Nullable Throwable cause) {
      super(problem, cause);
    }
  }

  /**
   * Lists the snapshots and then reads their manifests. A manifest that is just being written is
   * read again until it is whole.
   *
   * @param before the archive before this run deleted files
   * @param choice the snapshots to read, each with whether it stays, so that its files are marked
   * @throws StorageException or {@link JobException} bad input, when a manifest is damaged, absent
   *     or where no export writes one; outside, when it is being written for too long
   */
  Found read(
      Archive archive,
      Archive before,
      Function<List<SnapshotDir>, Map<SnapshotDir, Boolean>> choice)
      throws IOException {
    // A root has thousands of manifests, and one that is being written is read up to 60 times.
    Map<Path, Known> known = new ConcurrentHashMap<>();
    for (int attempt = 1; ; attempt++) {
      try {
        SnapshotListing listing = SnapshotListing.of(root);
        Map<SnapshotDir, Boolean> wanted = choice.apply(listing.dirs());
        List<SnapshotDir> readable = wanted.keySet().stream().filter(this::isReadable).toList();
        List<NamedFiles> read =
            root.workers()
                .map(
                    readable,
                    dir -> read(dir, archive, before, Boolean.TRUE.equals(wanted.get(dir)), known));
        Map<SnapshotDir, NamedFiles> named = new LinkedHashMap<>();
        readable.forEach(dir -> named.put(dir, read.get(named.size())));
        return new Found(listing.dirs(), named, listing.strays());
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
  private record Known(String version, boolean mark, NamedFiles named) {}

  private NamedFiles read(
      SnapshotDir dir, Archive archive, Archive before, boolean mark, Map<Path, Known> known)
      throws IOException {
    Known earlier = known.get(dir.path());
    if (earlier != null && earlier.mark == mark && earlier.version.equals(dir.version())) {
      return earlier.named;
    }
    String place = root.relative(dir.path());
    try {
      NamedFiles named = new NamedFiles(root, dir, archive, before, mark);
      known.put(dir.path(), new Known(dir.version(), mark, named));
      return named;
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
    return "export it again with --overwrite, or %s"
        .formatted(
            options.date(dir.name()) == null
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
