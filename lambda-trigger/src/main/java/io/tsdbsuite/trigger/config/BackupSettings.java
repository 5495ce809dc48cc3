package io.tsdbsuite.trigger.config;

import io.tsdbsuite.format.snapshot.SnapshotPattern;
import io.tsdbsuite.trigger.s3.S3Location;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The locations of snapshots and reports.
 *
 * @param root ROOT: the root of all exports, target of ExportSnapshot
 * @param dataTable DATA_TABLE: OpenTSDB's data table, in HBase's notation ({@code tsdb}, {@code
 *     ns:tsdb})
 * @param uidTable UID_TABLE: OpenTSDB's UID table
 * @param pattern SNAPSHOT_PATTERN: the names of snapshots; default {@code {table}-{date}}
 * @param reportRoot REPORT_ROOT: the job's reports are {@code <reportRoot>/<day>.json}
 * @param daysBefore DAYS_BEFORE_SNAPSHOT: number of days between the day that a night rolls up and
 *     the day of the data snapshot, both UTC; default 1
 * @param region AWS_REGION: region of the functions, the reports and the job
 * @param backupRegion BACKUP_REGION: region of the root's bucket; default AWS_REGION
 */
public record BackupSettings(
    S3Location root,
    String dataTable,
    String uidTable,
    SnapshotPattern pattern,
    S3Location reportRoot,
    int daysBefore,
    String region,
    String backupRegion) {
  private static final int MAX_DAYS_BEFORE = 31;
  private static final Pattern TABLE =
      Pattern.compile("(?:[a-zA-Z_0-9]+:)?[a-zA-Z_0-9][a-zA-Z_0-9.-]*");

  /** Names of tables, comma-separated. */
  static final Pattern TABLES = Pattern.compile(TABLE + "(?:," + TABLE + ")*");

  private static final Pattern REGION = Pattern.compile("[a-z]+(?:-[a-z]+)+-[0-9]+");
  private static final String REGION_RULE = "must be a region, such as eu-west-1";
  private static final String TABLE_RULE = "must be the name of an HBase table";

  static Optional<BackupSettings> read(EnvironmentReader variables) {
    Optional<S3Location> root = variables.parsed("ROOT", S3Location::parse);
    String data = variables.matching("DATA_TABLE", TABLE, TABLE_RULE);
    String uid = variables.matching("UID_TABLE", TABLE, TABLE_RULE);
    if (!data.isEmpty() && data.equals(uid)) {
      variables.problem("UID_TABLE", "must differ from DATA_TABLE", uid);
    }
    String pattern = variables.text("SNAPSHOT_PATTERN");
    Optional<SnapshotPattern> parsed =
        variables.parsed(
            "SNAPSHOT_PATTERN",
            pattern.isEmpty() ? SnapshotPattern.DEFAULT : pattern,
            SnapshotPattern::parse);
    Optional<S3Location> reports = variables.parsed("REPORT_ROOT", S3Location::parse);
    if (root.isPresent()
        && reports.isPresent()
        && (reports.equals(root) || reports.get().isBelow(root.get()))) {
      variables.problem(
          "REPORT_ROOT",
          "must not be below ROOT, which the job only ever reads",
          reports.get().uri());
    }
    int daysBefore = variables.number("DAYS_BEFORE_SNAPSHOT", 1, MAX_DAYS_BEFORE, 1);
    String region = variables.matching("AWS_REGION", REGION, REGION_RULE);
    String backupRegion =
        variables.text("BACKUP_REGION").isEmpty()
            ? region
            : variables.matching("BACKUP_REGION", REGION, REGION_RULE);
    if (root.isEmpty() || parsed.isEmpty() || reports.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new BackupSettings(
            root.get(), data, uid, parsed.get(), reports.get(), daysBefore, region, backupRegion));
  }
}
