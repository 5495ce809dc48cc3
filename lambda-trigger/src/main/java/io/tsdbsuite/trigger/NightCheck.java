package io.tsdbsuite.trigger;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.config.NightSettings;
import io.tsdbsuite.trigger.event.Marker;
import io.tsdbsuite.trigger.event.Marker.MarkerException;
import io.tsdbsuite.trigger.log.JsonLog;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.ObjectStore.StoredObject;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck;
import java.io.IOException;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The daily check that the night with snapshots of yesterday, UTC, has finished. The other
 * functions act on events: where none arrives, only this check tells, and it tells again each day.
 */
final class NightCheck {
  /** Number of days that are looked at. */
  private static final int DAYS = 31;

  private final NightSettings settings;
  private final ObjectStore store;
  private final S3Reports reports;
  private final SnapshotCheck snapshots;
  private final Clock clock;

  /**
   * @param store reads the backup's bucket
   * @param clock the present
   */
  NightCheck(NightSettings settings, ObjectStore store, S3Reports reports, Clock clock) {
    this.settings = settings;
    this.store = store;
    this.reports = reports;
    this.snapshots = new SnapshotCheck(store, settings.backup(), clock);
    this.clock = clock;
  }

  /**
   * What the backup has of a night that has not finished.
   *
   * @param isHalf whether some of its objects exist and others do not
   * @param why the reason why no night has finished, as far as the backup shows it
   */
  private record Export(boolean isHalf, String why) {}

  /**
   * Looks for the last day with a report of success, of whatever settings.
   *
   * @param metrics receives DaysMissing and HalfExports
   * @return number of days, at most 31, up to the night's own day without a report of success; 0 if
   *     the night has finished
   * @throws IOException when S3's response ends early
   * @throws SdkException when S3 refuses to give a report
   */
  int check(JsonLog log, Metrics metrics) throws IOException {
    LocalDate date = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(1);
    LocalDate day = date.minusDays(settings.backup().daysBefore());
    int missing = 0;
    while (missing < DAYS && !isDone(day.minusDays(missing))) {
      missing++;
    }
    metrics.count("DaysMissing", missing);
    if (missing == 0) {
      metrics.count("HalfExports", 0);
      log.info("the night has finished", "day", day);
      return 0;
    }
    Export export;
    try {
      export = export(date);
    } catch (SdkException e) {
      // A bucket that does not exist, or a policy, may be the reason why no night has finished.
      export = new Export(false, "the backup cannot be read: " + e.getMessage());
    }
    metrics.count("HalfExports", export.isHalf() ? 1 : 0);
    log.warn(
        "no night has finished",
        "day",
        day,
        "days",
        missing,
        "lastDone",
        missing < DAYS ? day.minusDays(missing).toString() : "none of the last " + DAYS,
        "why",
        export.why());
    return missing;
  }

  private boolean isDone(LocalDate day) throws IOException {
    return reports.find(day).filter(report -> report.whyNotDone(day).isEmpty()).isPresent();
  }

  /**
   * Looks for the export of a date.
   *
   * @param date in the names of snapshots and marker
   */
  private Export export(LocalDate date) throws IOException {
    BackupSettings backup = settings.backup();
    Night named =
        new Night(
            date,
            backup.pattern().name(backup.dataTable(), date),
            backup.pattern().name(backup.uidTable(), date));
    if (!settings.startsOnMarker()) {
      return export(named, "SNAPSHOT_PATTERN");
    }
    S3Location marker = backup.root().resolve(Marker.DIRECTORY + "/" + date + ".json");
    if (isThere(marker)) {
      try {
        return export(Marker.read(store, marker, date), "marker " + marker.uri());
      } catch (MarkerException e) {
        return new Export(true, String.valueOf(e.getMessage()));
      }
    }
    String none = "marker " + marker.uri() + " does not exist, which the exporter writes last";
    boolean data = snapshots.exists(named.dataSnapshot());
    boolean uid = snapshots.exists(named.uidSnapshot());
    if (data || uid) {
      return new Export(
          true,
          "%s; snapshot '%s' %s, '%s' %s"
              .formatted(none, named.dataSnapshot(), state(data), named.uidSnapshot(), state(uid)));
    }
    return new Export(false, none + "; neither does snapshot '" + named.dataSnapshot() + "'");
  }

  /**
   * Looks for the snapshots of a night that should have started.
   *
   * @param source what names the snapshots
   */
  private Export export(Night night, String source) {
    boolean data = snapshots.exists(night.dataSnapshot());
    boolean uid = snapshots.exists(night.uidSnapshot());
    if (data && uid) {
      return new Export(
          false,
          "both snapshots exist: no event of the bucket has arrived, or no execution has"
              + " succeeded");
    }
    return new Export(
        data || uid || settings.startsOnMarker(),
        "%s names snapshot '%s', which %s, and '%s', which %s"
            .formatted(source, night.dataSnapshot(), state(data), night.uidSnapshot(), state(uid)));
  }

  private boolean isThere(S3Location place) throws IOException {
    Optional<StoredObject> found = store.get(place);
    if (found.isPresent()) {
      found.get().close();
    }
    return found.isPresent();
  }

  private static String state(boolean exists) {
    return exists ? "exists" : "does not exist";
  }
}
