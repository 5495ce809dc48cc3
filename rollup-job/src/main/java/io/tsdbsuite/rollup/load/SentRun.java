package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.hfile.AggregatorIds;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.report.RunProofJson;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/** A run whose rollups went to Kafka, or to HFiles that are loaded, by its report. */
public final class SentRun implements StoredRun {
  /** Each rollup is stored as sum, min, max and count. */
  private static final int CELLS = 4;

  private static final String SUITE = "/resume/options/" + Manifest.SUITE;

  private final EvidenceReport report;
  private final JsonNode root;
  private @Nullable Manifest manifest;
  private boolean incomplete;

  private SentRun(EvidenceReport report) {
    this.report = report;
    this.root = report.root();
  }

  /**
   * Reads the report of a run.
   *
   * @param name of the file, for messages and as evidence
   * @param schema of the TSDs
   * @param rollups of the TSDs
   * @throws JobException usage, naming all that is not as it must be
   */
  public static SentRun read(String name, byte[] json, StorageSchema schema, RollupConfig rollups) {
    SentRun run = new SentRun(EvidenceReport.read(name, json));
    run.check(schema, rollups);
    List<Manifest.Table> tables = run.tables(rollups);
    RunProof proof = run.proof();
    run.report.requireGood();
    run.manifest =
        new Manifest(
            0,
            // Runs of one snapshot may start in the same second.
            run.root.at("/started").asText().replaceAll("[-:.]", ""),
            run.root.at("/resume/version").asText(),
            null,
            Instant.parse(run.root.at("/input/asOf").asText()).toEpochMilli(),
            run.texts("/resume/options"),
            run.texts("/resume/snapshots"),
            tables,
            proof);
    return run;
  }

  private void check(StorageSchema schema, RollupConfig rollups) {
    report.expect("/report", ReportJson.NAME);
    report.expect("/v", Integer.toString(ReportJson.VERSION));
    report.expect("/exitCode", Integer.toString(ExitCode.DONE.code()));
    report.expect("/booksClose", "true");
    report.expect("/input/dataTable", schema.dataTable());
    if (!isLoaded()) {
      report.expect("/resume/options/--sink", "kafka");
      // The messages of the other format do not tell when their points were read.
      report.expect("/resume/options/--format", "rollup");
    }
    schema.rowKeys().forEach((key, value) -> report.expect("/resume/options/--" + key, value));
    if (!root.at(SUITE).isMissingNode()) {
      report.expect(SUITE, rollups.suite().text());
    }
    report.time("/started");
    report.time("/input/asOf");
  }

  /** Whether its rollups went to HFiles, which a load has handed to HBase, or not. */
  private boolean isLoaded() {
    return root.at("/resume/options/--sink").asText().equals("hfile");
  }

  private List<Manifest.Table> tables(RollupConfig rollups) {
    List<Manifest.Table> tables = new ArrayList<>();
    for (String each : root.at("/window/interval").asText().split(",", -1)) {
      RollupInterval interval = rollups.interval(each);
      if (interval == null) {
        report.require(
            "/window/interval", "must be intervals of the rollup configuration", found -> false);
      } else {
        Map<String, Integer> ids = AggregatorIds.of(rollups, each);
        tables.add(new Manifest.Table(interval.table(), each, "", ids, List.of(), List.of()));
        if (!root.at(SUITE).isMissingNode() && rollups.suite().histogram(each)) {
          String table = Objects.requireNonNull(rollups.suite().histogramTable(each));
          String level = Level.text(each, Level.HISTOGRAM);
          tables.add(new Manifest.Table(table, level, "", Map.of(), List.of(), List.of()));
        }
        String packed = rollups.suite().packedTable(each);
        if (packed != null) {
          String level = Level.text(each, Level.PACKED);
          tables.add(new Manifest.Table(packed, level, "", ids, List.of(), List.of()));
        }
      }
    }
    return tables;
  }

  private @Nullable RunProof proof() {
    try {
      return RunProofJson.read(root.path("proof"));
    } catch (IOException e) {
      report.problem("/proof: " + e.getMessage() + "; older versions write none");
      return null;
    }
  }

  private Map<String, String> texts(String field) {
    Map<String, String> texts = new TreeMap<>();
    root.at(field).properties().forEach(each -> texts.put(each.getKey(), each.getValue().asText()));
    return texts;
  }

  @Override
  public Manifest manifest() {
    return Objects.requireNonNull(manifest);
  }

  @Override
  public String writer() {
    return "sent-" + manifest().run();
  }

  @Override
  public String evidence() {
    return "all rollups of the run were found, report " + report.name();
  }

  /** Who adds the windows by hand may do so twice. */
  @Override
  public boolean isCovered() {
    return false;
  }

  @Override
  public void markCovered(String windows) {}

  @Override
  public List<KeyRange> before(Manifest.Table of, List<KeyRange> all) {
    return all;
  }

  /**
   * Cells of the run, also those that it has taken back. Its report has the number of these for all
   * tables together; of each, all aggregators are deleted.
   */
  @Override
  public String difference(ToLongBiFunction<Manifest.Table, String> found) {
    long all = 0;
    long wanted = CELLS * root.at("/rollupsTakenBack").asLong();
    boolean lacks = false;
    // A table of histograms follows that of its interval.
    long takenBack = 0;
    for (Manifest.Table table : manifest().tables()) {
      if (table.isPacked()) {
        // Its slots are compared, in whatever parts they are.
        continue;
      }
      long late = root.path("lateHistogramsAlone").path(table.interval()).asLong();
      if (table.isHistogram()) {
        // These took back the other values of their buckets.
        takenBack -= late;
      } else {
        long rollups =
            root.path("rollupsByInterval").path(table.interval()).asLong()
                - root.path("histogramsAlone").path(table.interval()).asLong();
        long emitted = CELLS * (rollups + late);
        long cells = found.applyAsLong(table, SeenRollups.FOUR);
        wanted += emitted;
        all += cells;
        lacks |= cells < emitted;
        takenBack = Math.max(0, cells / CELLS - rollups);
      }
      for (String name : further(table)) {
        long of =
            root.path("rollupsByLevel").path(Level.text(table.interval(), name)).asLong()
                + takenBack;
        long stored = found.applyAsLong(table, name);
        wanted += of;
        all += stored;
        lacks |= stored < of;
      }
    }
    boolean tooFew = lacks || all < wanted;
    // A load is over, or somebody has to begin it.
    incomplete = tooFew && !isLoaded();
    if (all == wanted && !lacks) {
      return "";
    }
    return "the rollup tables must have the cells of the run, %s, found %s%s"
        .formatted(
            wanted,
            all,
            tooFew
                ? (isLoaded()
                    ? ": load its HFiles, unless a major compaction has removed what it took back"
                    : ": TSDs have not stored all of them")
                : ": another run over the same snapshot has stored rollups too, which nothing tells"
                    + " apart");
  }

  /** The further aggregators of a table, or histograms; none, if the run had none. */
  private Set<String> further(Manifest.Table table) {
    if (manifest().suite().isEmpty()) {
      return Set.of();
    }
    Set<String> names = new TreeSet<>(SeenRollups.levels(table));
    names.remove(SeenRollups.FOUR);
    return names;
  }

  /** Whether the last look has found less than the run has sent, so that the rest may come. */
  boolean isIncomplete() {
    return incomplete;
  }
}
