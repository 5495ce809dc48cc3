package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.StoredObject;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.Deadline.DeadlineException;
import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import io.tsdbsuite.trigger.snapshot.WholeNight.WholeSnapshot;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * Checks that the snapshots of a night are complete. No S3 object reliably marks a finished export,
 * so the check searches every HFile that the manifests list.
 *
 * @param store reads the backup's bucket
 * @param backup where the snapshots are
 * @param clock the present
 */
public record SnapshotCheck(ObjectStore store, BackupSettings backup, Clock clock) {
  private static final String DIRECTORY = ".hbase-snapshot/";
  private static final int MAX_INFO_BYTES = 1 << 20;

  /** Requests for pages at the same time: 320 a second at 100 ms, far below S3's limit of 5500. */
  public static final int THREADS = 32;

  private record Info(SnapshotDescription description, String etag) {
    Instant created() {
      return Instant.ofEpochMilli(description.getCreationTime());
    }
  }

  private record Described(String name, Info info, String manifestEtag, Manifest manifest) {
    WholeSnapshot whole() {
      return new WholeSnapshot(
          name,
          info.created(),
          List.of(info.etag, manifestEtag),
          manifest.regions(),
          manifest.fileCount(),
          manifest.bytes(),
          manifest.ttl());
    }
  }

  /**
   * Reads the creation times of both snapshots of a night, without a check of the HFiles.
   *
   * @throws IncompleteSnapshotException when a snapshot is missing, has another table, or was taken
   *     in the future
   * @throws IOException when S3's response ends early
   */
  public SnapshotTimes times(Night night) throws IOException {
    return new SnapshotTimes(
        info(night.dataSnapshot(), backup.dataTable()).created(),
        info(night.uidSnapshot(), backup.uidTable()).created(),
        backup.daysBefore());
  }

  /**
   * Checks both snapshots of a night: first the small files, then the HFiles.
   *
   * @throws IncompleteSnapshotException when a snapshot is incomplete, has another table, or was
   *     taken in the future
   * @throws DeadlineException when the function's timeout is near
   * @throws IOException when S3's response ends early
   */
  public WholeNight check(Night night, Deadline deadline) throws IOException {
    Info dataInfo = info(night.dataSnapshot(), backup.dataTable());
    Info uidInfo = info(night.uidSnapshot(), backup.uidTable());
    Described data = describe(night.dataSnapshot(), dataInfo);
    Described uid = describe(night.uidSnapshot(), uidInfo);
    for (Described snapshot : List.of(uid, data)) {
      new HFileCheck(store, backup.root(), snapshot.name, deadline, THREADS)
          .check(snapshot.manifest);
    }
    return new WholeNight(night, data.whole(), uid.whole(), backup.daysBefore());
  }

  private Info info(String snapshot, String table) throws IOException {
    try (StoredObject object = open(snapshot, ".snapshotinfo")) {
      SnapshotDescription description = SnapshotDescription.parseFrom(object.bytes(MAX_INFO_BYTES));
      String found = description.getTable();
      String plain = found.startsWith("default:") ? found.substring("default:".length()) : found;
      if (!plain.equals(table)) {
        throw new IncompleteSnapshotException(
            snapshot, "its table must be " + table + ", found: " + found);
      }
      if (!description.hasCreationTime() || description.getCreationTime() <= 0) {
        throw new IncompleteSnapshotException(snapshot, ".snapshotinfo has no creation time");
      }
      Info info = new Info(description, object.etag());
      requirePast(snapshot, info.created());
      return info;
    } catch (InvalidProtocolBufferException e) {
      throw new IncompleteSnapshotException(
          snapshot, ".snapshotinfo is cut off or damaged (" + e.getMessage() + ")", e);
    }
  }

  /**
   * The time of the snapshot is the rollups' time: consumers would ignore those of the next nights,
   * and no run would search the time between the clocks for late data.
   */
  private void requirePast(String snapshot, Instant created) {
    Instant now = clock.instant();
    if (SnapshotTimes.isInFuture(created, now)) {
      throw new IncompleteSnapshotException(
          snapshot,
          "its creation time %s is in the future, it is %s: correct the clock of HBase's master"
              .formatted(created, now));
    }
  }

  private Described describe(String snapshot, Info info) throws IOException {
    try (StoredObject object = open(snapshot, "data.manifest")) {
      Manifest manifest = ManifestReader.read(snapshot, object.stream());
      return new Described(snapshot, info, object.etag(), manifest);
    }
  }

  private StoredObject open(String snapshot, String file) {
    S3Location place = backup.root().resolve(DIRECTORY + snapshot + "/" + file);
    return store.get(place).orElseThrow(() -> absent(snapshot, place));
  }

  private IncompleteSnapshotException absent(String snapshot, S3Location place) {
    String problem = place.uri() + " does not exist";
    return exists(snapshot)
        ? new IncompleteSnapshotException(snapshot, problem)
        : new MissingSnapshotException(snapshot, problem);
  }

  /** Whether any file of a snapshot exists: one of an export that has moved it to its place. */
  public boolean exists(String snapshot) {
    S3Location directory = backup.root().resolve(DIRECTORY + snapshot);
    return !store.list(directory, directory.key() + "/").objects().isEmpty();
  }

  /**
   * A snapshot is incomplete. It may be complete later or never. The message names the snapshot and
   * the missing part.
   */
  public static class IncompleteSnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1;

    IncompleteSnapshotException(String snapshot, String problem) {
      super(message(snapshot, problem));
    }

    IncompleteSnapshotException(String snapshot, String problem, Throwable cause) {
      super(message(snapshot, problem), cause);
    }

    private static String message(String snapshot, String problem) {
      return "snapshot '" + snapshot + "' is not whole: " + problem;
    }
  }

  /** No file of a snapshot exists. */
  public static final class MissingSnapshotException extends IncompleteSnapshotException {
    private static final long serialVersionUID = 1;

    MissingSnapshotException(String snapshot, String problem) {
      super(snapshot, problem);
    }
  }
}
