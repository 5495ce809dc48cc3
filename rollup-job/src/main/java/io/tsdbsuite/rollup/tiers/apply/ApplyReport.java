package io.tsdbsuite.rollup.tiers.apply;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.report.Report;
import io.tsdbsuite.job.report.TextTable;
import io.tsdbsuite.rollup.report.MetricRows.Kept;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The report of {@code tiers apply}, also of a failed one.
 *
 * @param exitCode exit code of the process
 * @param message reason for an exit code other than {@link ExitCode#DONE}; otherwise empty
 * @param table whose rows go; empty for idle series, which go from all
 * @param planned what policy and proofs name; empty if the check has found problems
 * @param floors that are raised
 * @param days those that are done
 */
public record ApplyReport(
    ExitCode exitCode,
    String message,
    Instant started,
    Instant ended,
    String table,
    List<Planned> planned,
    List<CoverageFloor> floors,
    List<Day> days) {
  private static final String NAME = "rollup-job tiers apply";
  private static final int VERSION = 1;
  private static final String SPACE =
      "comes back when HBase has compacted the regions (major compaction), and no snapshot has the"
          + " old HFiles";

  /**
   * Rows that may go.
   *
   * @param rows that the proof names
   * @param state how far an earlier apply was: empty, begun, done
   */
  public record Planned(ProvenName of, long rows, String state) {
    static Planned of(ProvenRows day) {
      String state = day.written() == null ? "" : "markers written";
      if (day.loading()) {
        state = day.loaded() ? "done" : "begun";
      }
      return new Planned(
          ProvenName.of(day.proof()),
          day.proof().metrics().values().stream()
              .mapToLong(rows -> rows.rows() + rows.annotatedRows())
              .sum(),
          state);
    }
  }

  /**
   * What has become of rows.
   *
   * @param deleted rows of which the table shows no points any more
   * @param alreadyGone rows of which it did not show any when the markers were written
   * @param keptForNewerCells rows that have points that are newer than the markers
   * @param left rows that have points that the markers should hide
   */
  record Fates(long deleted, long alreadyGone, long keptForNewerCells, long left) {
    static final Fates NONE = new Fates(0, 0, 0, 0);

    Fates plus(Fates other) {
      return new Fates(
          deleted + other.deleted,
          alreadyGone + other.alreadyGone,
          keptForNewerCells + other.keptForNewerCells,
          left + other.left);
    }

    /** Whether all of some rows are in them, and none are left. */
    boolean isSumOf(long rows) {
      return left == 0 && rows == deleted + alreadyGone + keptForNewerCells;
    }

    void write(ObjectNode books) {
      books
          .put("deleted", deleted)
          .put("alreadyGone", alreadyGone)
          .put("keptForNewerCells", keptForNewerCells);
    }

    void write(TextTable table, String of, long planned) {
      table.count(of, "planned", planned);
      table.count("", "deleted", deleted);
      table.count("", "already gone", alreadyGone);
      table.count("", "kept for newer cells", keptForNewerCells);
    }
  }

  /**
   * What has become of the packed copies of rows; a row without one is already gone.
   *
   * @param markers in the HFiles
   * @param files HFiles handed to HBase by this apply
   */
  record Packed(String table, long markers, int files, Fates fates) {
    static Packed of(MarkerManifest manifest, int loaded, Fates fates) {
      return new Packed(manifest.table(), manifest.markers(), loaded, fates);
    }
  }

  /**
   * Rows that are done.
   *
   * @param rows that the proof names
   * @param markers in the HFiles
   * @param files HFiles handed to HBase by this apply
   * @param kept rows of its metrics that no rollup proves, by reason
   * @param isLast whether the proof is about rows of which no coarser rollups are kept
   * @param packed what has become of their packed copies; null if there are none
   * @param doneBefore whether an earlier apply has done it; then nothing was counted
   */
  record Day(
      ProvenName of,
      long rows,
      long markers,
      int files,
      Fates fates,
      SortedMap<String, Long> kept,
      boolean isLast,
      @Nullable Packed packed,
      boolean doneBefore) {
    static Day of(
        ProvenRows day, MarkerManifest manifest, int loaded, Fates fates, @Nullable Packed packed) {
      return of(day, manifest, loaded, fates, packed, false);
    }

    static Day before(ProvenRows day, MarkerManifest manifest) {
      return of(day, manifest, 0, Fates.NONE, null, true);
    }

    private static Day of(
        ProvenRows day,
        MarkerManifest manifest,
        int loaded,
        Fates fates,
        @Nullable Packed packed,
        boolean doneBefore) {
      return new Day(
          ProvenName.of(day.proof()),
          manifest.rows(),
          manifest.markers(),
          loaded,
          fates,
          manifest.kept(),
          day.proof().rollups().isEmpty(),
          packed,
          doneBefore);
    }

    boolean booksClose() {
      return doneBefore || (fates.isSumOf(rows) && (packed == null || packed.fates.isSumOf(rows)));
    }

    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      of.write(json);
      json.put("doneBefore", doneBefore).put("markers", markers).put("filesLoaded", files);
      ObjectNode books = json.putObject("rows").put("planned", rows);
      if (!doneBefore) {
        fates.write(books);
      }
      if (packed != null) {
        ObjectNode copies = json.putObject("packed").put("table", packed.table);
        copies.put("markers", packed.markers).put("filesLoaded", packed.files);
        packed.fates.write(copies.putObject("rows").put("planned", rows));
      }
      ObjectNode reasons = json.putObject("kept");
      kept.forEach(reasons::put);
      return json;
    }

    private void write(TextTable table) {
      table.text(
          of.match(),
          "%s, proof %s%s"
              .formatted(
                  of.rows(),
                  of.sha256().substring(0, 16),
                  isLast ? ": nothing coarser is kept" : ""));
      if (doneBefore) {
        table.text("", "done before, nothing is left");
        return;
      }
      fates.write(table, "rows", rows);
      for (Kept reason : Kept.values()) {
        if (kept.containsKey(reason.key())) {
          table.count("", "stays: " + TextTable.words(reason.key()), kept.get(reason.key()));
        }
      }
      table.text("HFiles loaded", files + " with " + markers + " markers");
      if (packed != null) {
        packed.fates.write(table, "packed rows of " + packed.table, rows);
        table.text("", packed.files + " HFiles with " + packed.markers + " markers");
      }
    }
  }

  /** Whether the fate of each planned row is known. */
  public boolean booksClose() {
    return days.size() == planned.size() && days.stream().allMatch(Day::booksClose);
  }

  /** The report as JSON and as a table of text; docs/tiers.md describes the fields. */
  public Report report() {
    Report report = new Report(NAME, VERSION).outcome(exitCode, message).times(started, ended);
    ObjectNode json = report.json();
    TextTable text = report.table();
    if (!table.isEmpty()) {
      json.put("table", table);
      text.text("table", table);
    }
    json.put("booksClose", booksClose());
    ArrayNode names = json.putArray("planned");
    for (Planned each : planned) {
      ObjectNode name = names.addObject();
      each.of.write(name);
      name.put("rows", each.rows).put("state", each.state);
    }
    ArrayNode raised = json.putArray("floors");
    for (CoverageFloor floor : floors) {
      String before = Instant.ofEpochSecond(floor.before()).toString();
      raised.addObject().put("metrics", floor.metrics()).put("before", before);
      text.text(
          "floor",
          floor.metrics() + ": " + floor.level() + " data before " + before + " may be gone");
    }
    ArrayNode done = json.putArray("days");
    days.forEach(
        day -> {
          done.add(day.json());
          day.write(text);
        });
    if (!days.isEmpty()) {
      text.text("space", SPACE);
    } else if (table.isEmpty() && exitCode == ExitCode.DONE) {
      text.text("idle series", "no proof names any");
    }
    return report.end(booksClose() ? "close" : "do not close");
  }
}
