package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.HFileIndex;
import io.tsdbsuite.hbase.read.KeySample;
import io.tsdbsuite.hbase.read.ReadSource;
import io.tsdbsuite.hbase.read.ReadTracker;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;

/**
 * Checks row keys of a data table against the configuration. With a wrong salt width or UID width,
 * base times are decoded from the wrong bytes: no row is in the window, and nothing fails.
 *
 * <p>A valid table may contain some keys that match no configuration, such as foreign rows or rows
 * of former salt buckets. So the configuration is wrong only if no key matches: none of the first
 * and last keys of the HFiles, and none of some more keys inside a few of them. Rows of global
 * annotations have no series and are ignored.
 *
 * @param keys evidence from the keys of the opened files
 */
public record SchemaCheck(Snapshot snapshot, KeyEvidence keys) {
  /** Number of files or keys to examine when the first and last keys of the files do not match. */
  private static final int FEW = 16;

  /**
   * @param from start of the window, seconds since the epoch; always a plausible base time
   * @param to end of the window, seconds since the epoch
   * @param anyBucket whether rows may be in another salt bucket than that of their keys
   */
  public SchemaCheck(
      Snapshot snapshot, StorageSchema schema, long from, long to, boolean anyBucket) {
    this(snapshot, KeyEvidence.of(snapshot, schema, from, to, anyBucket));
  }

  /**
   * Decides, after all files are recorded. If there are none, it opens a few files of any region;
   * missing or corrupt files are skipped, because the run may not need them.
   *
   * @throws JobException usage, when no key matches; outside, when storage fails
   */
  public void require() {
    if (keys.suspects().isEmpty() && !keys.fits()) {
      takeAny();
    }
    for (SnapshotFile file : keys.suspects()) {
      if (!keys.fits()) {
        lookInto(file);
      }
    }
    String misfit = keys.misfit();
    if (!keys.fits() && misfit != null) {
      throw JobException.usage(misfit);
    }
  }

  /**
   * Refuses a row of the window, first or last of its file, that is in another salt bucket than
   * that of its key. A run without this check would find it when it reads the row.
   *
   * @throws JobException bad input, with the row
   */
  public void requireBuckets() {
    String misplaced = keys.misplaced();
    if (misplaced != null) {
      throw JobException.badInput(misplaced);
    }
  }

  private void takeAny() {
    List<SnapshotRegion> filled =
        snapshot.regions().stream().filter(region -> !region.storeFiles().isEmpty()).toList();
    int step = Math.max(1, filled.size() / FEW);
    List<SnapshotRegion> some = new ArrayList<>();
    for (int i = 0; i < filled.size(); i += step) {
      some.add(filled.get(i));
    }
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    List<Boolean> unused =
        RegionTasks.run(
            snapshot.name(),
            some,
            region -> {
              try {
                for (StoreFile storeFile : region.storeFiles()) {
                  take(resolver, region, storeFile);
                }
                return true;
              } catch (StorageException e) {
                return false;
              }
            });
  }

  private void take(StoreFileResolver resolver, SnapshotRegion region, StoreFile storeFile)
      throws IOException {
    ReadTracker tracker = new ReadTracker();
    try {
      HFileIndex.Found found =
          HFileIndex.find(ReadSource.of(snapshot), resolver, region, storeFile, tracker);
      keys.look(found.file(), found.index());
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw e;
      }
    }
  }

  private void lookInto(SnapshotFile file) {
    ReadTracker tracker = new ReadTracker();
    try {
      KeySample.read(ReadSource.of(snapshot), file, FEW, tracker)
          .forEach(row -> keys.look(row, file));
    } catch (IOException | RuntimeException e) {
      if (tracker.hasStorageFailed()) {
        throw JobException.outside(
            "HFile " + file.path() + " could not be read: " + e.getMessage(), e);
      }
    }
  }
}
