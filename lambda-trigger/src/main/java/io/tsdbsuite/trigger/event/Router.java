package io.tsdbsuite.trigger.event;

import io.tsdbsuite.trigger.config.BackupSettings;
import io.tsdbsuite.trigger.event.ObjectCreated.MalformedEventException;
import io.tsdbsuite.trigger.event.Router.Route.MarkerWritten;
import io.tsdbsuite.trigger.event.Router.Route.None;
import io.tsdbsuite.trigger.event.Router.Route.SnapshotWritten;
import io.tsdbsuite.trigger.s3.S3Location;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Classifies objects by their keys:
 *
 * <pre>
 * &lt;root&gt;/_EXPORTED/2026-11-21.json                         marker
 * &lt;root&gt;/.hbase-snapshot/tsdb-20261121/data.manifest       file of a snapshot
 * &lt;root&gt;/.hbase-snapshot/tsdb-20261121/.snapshotinfo       file of a snapshot
 * &lt;root&gt;/.hbase-snapshot/.tmp/tsdb-20261121/data.manifest  ignored: ExportSnapshot is running
 * </pre>
 */
public record Router(BackupSettings backup) {
  private static final Pattern MARKER =
      Pattern.compile(Pattern.quote(Marker.DIRECTORY) + "/([^/]+)\\.json");
  private static final Pattern SNAPSHOT_FILE =
      Pattern.compile("\\.hbase-snapshot/([^/]+)/(?:data\\.manifest|\\.snapshotinfo)");
  private static final String TEMPORARY = ".hbase-snapshot/.tmp/";

  /**
   * Classifies an object.
   *
   * @throws MalformedEventException for a marker without a date in its name, which is an exporter's
   *     mistake
   */
  public Route route(S3Location object) {
    if (!object.isBelow(backup.root())) {
      return new None("the object is not below ROOT " + backup.root());
    }
    String rootKey = backup.root().key();
    String path = rootKey.isEmpty() ? object.key() : object.key().substring(rootKey.length() + 1);
    if (path.startsWith(TEMPORARY)) {
      return new None(
          "ExportSnapshot moves the object to its final location when the export is complete");
    }
    Matcher marker = MARKER.matcher(path);
    if (marker.matches()) {
      try {
        return new MarkerWritten(object, LocalDate.parse(marker.group(1)));
      } catch (DateTimeException e) {
        throw new MalformedEventException(
            "a marker's name must be a date, yyyy-MM-dd.json, found: " + marker.group(1), e);
      }
    }
    Matcher file = SNAPSHOT_FILE.matcher(path);
    if (!file.matches()) {
      return new None(
          "the object is neither a marker nor data.manifest or .snapshotinfo of a snapshot");
    }
    for (String table : List.of(backup.dataTable(), backup.uidTable())) {
      Optional<LocalDate> date = backup.pattern().date(table, file.group(1));
      if (date.isPresent()) {
        return new SnapshotWritten(date.get());
      }
    }
    return new None(
        "snapshot %s is not named by SNAPSHOT_PATTERN %s after %s or %s"
            .formatted(file.group(1), backup.pattern(), backup.dataTable(), backup.uidTable()));
  }

  /** The meaning of an object for the trigger. */
  public sealed interface Route {
    /**
     * The exporter's marker: both snapshots should be complete.
     *
     * @param place the marker
     * @param date the date in its name
     */
    record MarkerWritten(S3Location place, LocalDate date) implements Route {}

    /**
     * A file of one snapshot: the night's snapshots may be complete now.
     *
     * @param date the date in the snapshot's name
     */
    record SnapshotWritten(LocalDate date) implements Route {}

    /**
     * An object that is not relevant.
     *
     * @param why the reason, for the log
     */
    record None(String why) implements Route {}
  }
}
