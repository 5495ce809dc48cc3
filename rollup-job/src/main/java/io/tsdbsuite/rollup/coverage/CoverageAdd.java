package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageRefusedException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.load.TableFacts;
import io.tsdbsuite.rollup.verify.RegionNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Adds windows that the report of a {@code rollup-job verify} proves, if the rollup tables are
 * still those whose snapshots were compared.
 */
public record CoverageAdd(VerifiedReport report, String dataTable, RollupConfig rollups) {
  /**
   * @param name of the report's file, for messages and the evidence
   * @param json the report
   * @param dataTable of the TSD
   * @param rollups of the TSD
   * @throws JobException usage, when the report does not prove its window
   */
  public CoverageAdd(String name, byte[] json, String dataTable, RollupConfig rollups) {
    this(VerifiedReport.read(name, json), dataTable, rollups);
  }

  /**
   * Checks, and adds the windows.
   *
   * @param coverageTable must exist
   * @param sourceChecked whether the user says that the data snapshot is of the table that the TSDs
   *     read, so that HBase need not have it
   * @param dry only checks
   * @param now milliseconds since the epoch
   * @return the windows
   * @throws IOException when HBase fails
   * @throws JobException usage, when the tables are not those of the report
   */
  public List<CoverageWindow> run(
      Connection connection, String coverageTable, boolean sourceChecked, boolean dry, long now)
      throws IOException {
    try (Admin admin = connection.getAdmin();
        CoverageTable coverage = new CoverageTable(connection, coverageTable)) {
      List<String> problems = new ArrayList<>();
      if (!report.dataTable().equals(dataTable)) {
        problems.add(
            "the data table must be that of the report, %s, found %s"
                .formatted(report.dataTable(), dataTable));
      }
      if (!sourceChecked) {
        source(admin, problems);
      }
      for (String interval : report.intervals()) {
        check(interval, admin, problems);
      }
      require(problems);
      List<CoverageWindow> windows = report.windows(table -> ttl(admin, table));
      doubts(coverage.read(CoverageListing.tables(rollups), now), windows, now, problems);
      require(problems);
      if (!dry) {
        add(coverage, windows, admin, now);
      }
      return windows;
    } catch (CoverageRefusedException e) {
      throw JobException.usage(String.valueOf(e.getMessage()), e);
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  /** Adds the windows, if the tables are the same after their markers were changed. */
  private void add(CoverageTable coverage, List<CoverageWindow> windows, Admin admin, long now)
      throws IOException, CoverageRefusedException {
    Map<String, String> marks = new LinkedHashMap<>();
    for (CoverageWindow window : windows) {
      marks.put(window.table(), coverage.mark(window.table()));
    }
    List<String> problems = new ArrayList<>();
    for (String interval : report.intervals()) {
      check(interval, admin, problems);
    }
    require(problems);
    // Before windows become one, of which the older reading counts.
    int unused = coverage.deleteVoidMasks(rollups, now);
    coverage.add(windows, marks, now);
    long looked =
        report.intervals().stream()
            .mapToLong(interval -> report.snapshotTime(interval).toEpochMilli())
            .min()
            .orElse(0);
    unused = coverage.deleteFoundMasks(rollups, windows, looked, now);
  }

  private static void require(List<String> problems) {
    if (!problems.isEmpty()) {
      throw JobException.usage(problems);
    }
  }

  /** Looks whether the data snapshot is of this HBase. */
  private void source(Admin admin, List<String> problems) throws IOException {
    if (TableFacts.hasSnapshot(
        admin, dataTable, report.dataSnapshot(), report.dataSnapshotTime().toEpochMilli())) {
      return;
    }
    problems.add(
        ("HBase must have the data snapshot %s of %s, else it may be of a copy or a"
                + " replica of table %s; if it was of this table and is deleted, give"
                + " --coverage-source-checked")
            .formatted(report.dataSnapshot(), report.dataSnapshotTime(), dataTable));
  }

  /** Compares a rollup table with that of the report. */
  private void check(String interval, Admin admin, List<String> problems) throws IOException {
    Level configured = rollups.level(interval);
    String table = report.table(interval);
    if (configured == null || !configured.table().equals(table)) {
      problems.add(
          "rollup configuration: the table of %s must be that of the report, %s, found %s"
              .formatted(interval, table, configured == null ? "none" : configured.table()));
      return;
    }
    TableName name = TableName.valueOf(table);
    if (!admin.tableExists(name) || !admin.isTableEnabled(name)) {
      problems.add("table " + table + " must exist and be enabled");
      return;
    }
    List<String> regions = admin.getRegions(name).stream().map(RegionInfo::getEncodedName).toList();
    if (!RegionNames.hash(regions).equals(report.regions(interval))) {
      problems.add(
          ("table %s must have the regions that its snapshot of %s had: it is of another"
                  + " cluster, or was truncated, made again, split or merged since; take new"
                  + " snapshots and verify them")
              .formatted(table, report.snapshotTime(interval)));
    }
  }

  /** What the coverage says against the windows. */
  private static void doubts(
      Coverage coverage, List<CoverageWindow> windows, long now, List<String> problems) {
    if (!coverage.reason().isEmpty() && !coverage.reason().equals(CoverageReader.EMPTY)) {
      problems.add("the coverage table must be readable, found: " + coverage.reason());
    }
    for (CoverageWindow window : windows) {
      if (window.from() < coverage.floor(window)) {
        problems.add(
            ("the window must not begin below the floor of its metrics, %s, where raw data may be"
                    + " gone, found %s: verify the time from the floor on")
                .formatted(
                    Instant.ofEpochSecond(coverage.floor(window)),
                    Instant.ofEpochSecond(window.from())));
      }
      String table = window.table();
      String defect = coverage.voidTables().get(table);
      if (defect != null && !defect.equals(CoverageReader.NO_MARKER)) {
        problems.add(
            ("table %s must have its marker, found: %s; if its snapshot was taken after that,"
                    + " delete the row %s of the coverage table, and add the report again")
                .formatted(table, defect, CoverageRows.markerRow(table)));
      }
      if (window.asOf() + Coverage.MAX_PROOF_AGE < now) {
        problems.add(
            "the data snapshot must be at most 7 days old, found %s: verify a newer one"
                .formatted(Instant.ofEpochMilli(window.asOf())));
      }
      if (window.asOf() > now) {
        problems.add(
            "the data snapshot must not be of the future, found "
                + Instant.ofEpochMilli(window.asOf()));
      }
      if (Coverage.isExpired(window, now)) {
        problems.add("table " + table + " must keep the rollups, found that their TTL ends");
      }
    }
  }

  private static long ttl(Admin admin, String table) {
    try {
      return TableFacts.ttl(admin, table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
