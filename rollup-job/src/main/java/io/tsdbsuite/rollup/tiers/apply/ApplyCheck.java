package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageTable;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import io.tsdbsuite.rollup.tiers.proof.ProofStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.hbase.HConstants;
import org.jspecify.annotations.Nullable;

/**
 * Checks all that must hold before a cell of days goes: options, table, proofs, snapshots,
 * coverage. It finds all problems, and changes nothing.
 */
final class ApplyCheck {
  private static final long DAY = 86400;

  private final ApplyOptions options;
  private final Window window;
  private final Instant now;
  private final TierTable table;
  private final ProofCheck proofs;
  private final CoverageCheck coverageCheck;
  private final EntryRows entryRows;

  /** A day of an entry without a proof. */
  private record Missing(Policy.Entry entry, long from, long to) {}

  private final List<Missing> missing = new ArrayList<>();

  /** Of days whose load has not begun. */
  private final List<MarkerDir> waiting = new ArrayList<>();

  /** Of the usage, the configuration or the tables. */
  private final List<String> usage = new ArrayList<>();

  /** Of proofs. */
  private final List<String> findings = new ArrayList<>();

  /**
   * @param window the days
   */
  ApplyCheck(ProofCheck proofs, Window window, CoverageTable coverageTable) {
    this.options = proofs.options();
    this.window = window;
    this.now = proofs.now();
    this.table = options.table();
    this.proofs = proofs;
    this.coverageCheck = new CoverageCheck(options, table, coverageTable);
    this.entryRows = new EntryRows(table, options.policy(), proofs.names());
  }

  /**
   * The days that may go, in the order of the policy.
   *
   * @throws JobException with all problems: usage, or bad input if only proofs have some
   * @throws IOException when HBase or storage fails
   */
  List<ProvenRows> days() throws IOException {
    table();
    Coverage coverage = coverageCheck.read(now, usage);
    List<ProvenRows> days = new ArrayList<>();
    ProofStore store = new ProofStore(options.proofs(), proofs.conf());
    Set<String> stored = Set.copyOf(store.names());
    boolean due = false;
    for (Policy.Entry entry : options.policy().entries()) {
      Integer keep = entry.keep().get(table.level());
      if (keep == null || !proofs.isChosen(entry)) {
        continue;
      }
      long before = now.getEpochSecond() / DAY * DAY - keep * DAY;
      for (long from = window.from(); from < window.to(); from += DAY) {
        if (table.begins(from) && table.end(from) <= before) {
          due = true;
          ProvenRows day = day(entry, from, table.end(from), store, stored, coverage);
          if (day != null) {
            days.add(day);
          }
        }
      }
      if (coverage.reason().isEmpty()) {
        olderRows(entry, days, coverage);
      }
    }
    missing(days, coverage);
    if (!due) {
      usage.add(
          "the policy must let %s of some day of %s go by now, found none"
              .formatted(table.data(), window.text(" to ")));
    }
    ProofCheck.require(usage, findings);
    return days;
  }

  /** The directories of days whose load has not begun, also of those that are refused. */
  List<MarkerDir> waiting() {
    return List.copyOf(waiting);
  }

  /** Checks the table. */
  private void table() throws IOException {
    RollupInterval rollups = table.rollups();
    // Hours of a row that do not divide the day.
    if (rollups != null && rollups.baseTime(DAY) % DAY != 0) {
      usage.add(
          "table %s must have rows that begin at midnight, found rowSpan %s"
              .formatted(CoverageRows.tableName(table.name()), rollups.rowSpan()));
    }
    TierTable packed = table.packed();
    if (packed != null) {
      TableLayout unused = packed.layout(proofs.admin(), usage);
    }
    TableLayout layout = proofs.table(table, usage);
    int longest =
        options.policy().entries().stream()
            .mapToInt(entry -> entry.keep().getOrDefault(table.level(), 0))
            .max()
            .orElse(0);
    if (layout != null
        && layout.ttlSeconds() != HConstants.FOREVER
        && layout.ttlSeconds() < longest * DAY) {
      usage.add(
          "table %s must have no TTL below the longest that the policy keeps %s, %s d, found"
                  .formatted(table.name(), table.data(), longest)
              + " %s s".formatted(layout.ttlSeconds()));
    }
  }

  private @Nullable ProvenRows day(
      Policy.Entry entry,
      long from,
      long to,
      ProofStore store,
      Set<String> stored,
      Coverage coverage)
      throws IOException {
    Instant day = Instant.ofEpochSecond(from);
    String name = ProofStore.name(table.level(), day, options.policy().metrics(entry));
    if (!stored.contains(name)) {
      missing.add(new Missing(entry, from, to));
      return null;
    }
    Proof proof = ProofCheck.read(store, name, findings);
    if (proof == null) {
      return null;
    }
    List<String> problems = new ArrayList<>();
    ProvenRows found = proofs.rows(proof, entry, table, null, problems);
    if (found != null && !found.loaded()) {
      ProofCheck.must("the day", day, proof.from(), problems);
      ProofCheck.must("the end of the day", Instant.ofEpochSecond(to), proof.to(), problems);
      compared(proof, entry, problems);
      // What has begun must end: it was checked, and its floor is raised.
      if (!found.loading()) {
        waiting.add(found.dir());
        proofs.fresh(proof, problems);
        notBelow(found, coverage, problems);
        if (coverage.reason().isEmpty()) {
          coverageCheck.covered(found, coverage, false, problems);
        }
      }
    }
    problems.forEach(problem -> findings.add("proof " + name + ": " + problem));
    return problems.isEmpty() ? found : null;
  }

  private void notBelow(ProvenRows day, Coverage coverage, List<String> problems)
      throws IOException {
    CoverageFloor floor =
        EntryFloors.find(
            coverage.floors(), table.level(), EntryFloors.writer(options.policy(), day.entry()));
    if (floor != null && floor.before() >= day.to() && day.dir().raisedFloor() == null) {
      problems.add(
          ("its day must not be below the floor of its entry, %s, which another apply has raised,"
                  + " perhaps with another --hfile-dir: only that one knows what was deleted")
              .formatted(Instant.ofEpochSecond(floor.before())));
    }
  }

  /** Whether the rollups that stay were compared, and all were equal. */
  private void compared(Proof proof, Policy.Entry entry, List<String> problems) {
    boolean isLast = table.coarser().isEmpty();
    if (proof.rollups().isEmpty() && !isLast) {
      problems.add("it must be about the rollups of at least one interval, found none");
    }
    for (RollupInterval interval : table.coarser()) {
      // Raw data may have rollups in a table that the policy does not name and no one writes.
      boolean isKept = table.rollups() != null || entry.keep().containsKey(interval.interval());
      List<String> levels = new ArrayList<>();
      if (table.rollups() == null) {
        // All histograms are kept.
        levels.addAll(table.aggregators().levels(List.of(interval)));
        levels.removeIf(level -> !isKept && !Level.isHistogram(level));
      } else {
        levels.add(interval.interval());
      }
      levels.removeAll(proof.rollups().keySet());
      levels.forEach(
          level ->
              problems.add("it must be about the rollups of " + level + ", which the entry keeps"));
    }
    proof
        .rollups()
        .forEach(
            (name, source) -> {
              Level level = options.rollups().level(name);
              if (level != null && !table.coarser().contains(level.interval())) {
                problems.add(
                    "it must be about rollups of %s, found %s".formatted(table.data(), name));
              }
              ProofCheck.must(
                  "the table of " + name,
                  level == null ? "none" : CoverageRows.tableName(level.table()),
                  CoverageRows.tableName(source.table()),
                  problems);
            });
    long rows =
        proof.metrics().values().stream().mapToLong(of -> of.rows() + of.annotatedRows()).sum();
    if (proof.verify().compared() != proof.verify().equal()
        || (proof.verify().compared() == 0 && rows > 0 && !isLast)) {
      problems.add(
          "all rollups that were compared, %s, must be equal, found %s"
              .formatted(proof.verify().compared(), proof.verify().equal()));
    }
  }

  /**
   * Looks again at what may have changed since the check.
   *
   * @param left days of which no cell has gone yet
   * @return problems
   */
  List<String> again(List<ProvenRows> left, Instant at) throws IOException {
    Coverage coverage = coverageCheck.read(at);
    List<String> problems = new ArrayList<>();
    for (ProvenRows day : left) {
      List<String> ofDay = new ArrayList<>();
      coverageCheck.covered(day, coverage, true, ofDay);
      ofDay.forEach(problem -> problems.add("proof of " + day.name() + ": " + problem));
    }
    masked(coverage, problems);
    return problems;
  }

  /** Late points of the days without rows, which the floor hides, too. */
  private void masked(Coverage coverage, List<String> problems) {
    Snapshot newest = proofs.newest();
    for (Missing each : missing) {
      List<String> ofDay = new ArrayList<>();
      if (newest != null) {
        coverageCheck.masked(
            each.entry, each.from, each.to, newest.creationTime(), coverage, ofDay);
      }
      ofDay.forEach(problem -> problems.add(name(each) + ": " + problem));
    }
  }

  private static String name(Missing day) {
    return day.entry.match() + ", " + Instant.ofEpochSecond(day.from).toString().substring(0, 10);
  }

  /**
   * Looks for older rows of an entry's metrics that no proof is about: the floor would hide them
   * from queries.
   */
  private void olderRows(Policy.Entry entry, List<ProvenRows> days, Coverage coverage)
      throws IOException {
    CoverageFloor floor =
        EntryFloors.find(
            coverage.floors(), table.level(), EntryFloors.writer(options.policy(), entry));
    SnapshotRows first = null;
    for (ProvenRows day : days) {
      if (day.entry().equals(entry) && !day.loaded() && first == null) {
        first = day.rows();
      }
    }
    if (first == null || (floor != null && floor.before() >= first.from())) {
      return;
    }
    SortedMap<String, Long> found =
        entryRows.find(
            first.data(), entry, 0, first.from(), metric -> coverage.floor(table.level(), metric));
    if (!found.isEmpty()) {
      findings.add(
          ("the metrics of %s must have no %s rows before %s of which no floor says that they may"
                  + " be gone, found some of %s, the first of %s: prove and apply older days"
                  + " first, or queries would not read them any more")
              .formatted(
                  entry.match(),
                  table.level(),
                  Instant.ofEpochSecond(first.from()),
                  CoverageCheck.some(List.copyOf(found.keySet())),
                  Instant.ofEpochSecond(found.values().stream().min(Long::compare).orElseThrow())));
    }
  }

  /** A day without a proof is one without rows of the entry, or a problem. */
  private void missing(List<ProvenRows> days, Coverage coverage) throws IOException {
    Snapshot newest = proofs.newest();
    boolean allLoaded = !days.isEmpty() && days.stream().allMatch(ProvenRows::loaded);
    // Without a snapshot to look in, the refusal of the others tells enough.
    boolean isRefused = !findings.isEmpty();
    for (Missing each : missing) {
      boolean isNeeded =
          newest == null
              ? !allLoaded && !isRefused
              : !entryRows.find(newest, each.entry, each.from, each.to, metric -> 0).isEmpty();
      if (isNeeded) {
        findings.add(
            "%s must have a proof of %s, found none: run rollup-job tiers prove"
                .formatted(options.proofs(), name(each)));
      }
    }
    if (!allLoaded) {
      masked(coverage, findings);
    }
  }
}
