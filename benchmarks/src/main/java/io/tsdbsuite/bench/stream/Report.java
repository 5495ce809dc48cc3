package io.tsdbsuite.bench.stream;

import io.tsdbsuite.bench.measure.Aims;
import io.tsdbsuite.bench.measure.Machine;
import io.tsdbsuite.bench.measure.MarkdownTables;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures as Markdown tables. Each row is also printed immediately. */
final class Report {
  private final double loadBefore = Machine.load();
  private final Sizes sizes;
  private final String flags;
  private final Aims aims = new Aims();
  private final List<Table> tables = new ArrayList<>();
  private final Table cpu =
      table(
          "CPU on one core",
          "Points measured",
          "CPU us per point",
          "Points per second",
          "Checkpoints meanwhile",
          "Changelog messages per point",
          "Rollups meanwhile");
  private final Table steps = table("Step, with those above it", "CPU us per point");
  private final Table heap =
      table(
          "State",
          "Period",
          "Points that wait, per series",
          "Heap, bytes per series",
          "On the job's disk, bytes per series",
          "In changelogs, bytes per series",
          "CPU s of a checkpoint at rest");
  private final Table restart =
      table(
          "Killed to caught up",
          "Series",
          "Points per second",
          "Reading again, s",
          "Caught up, s",
          "Points behind when reading again");
  private final Table burst =
      table(
          "Rollups at the turn of a day",
          "Series",
          "Mean per second of the hour",
          "Per second while they begin",
          "Busiest second",
          "Over the mean",
          "Busiest 30 s of the hour over the mean");

  /**
   * @param flags of the jobs' JVMs
   */
  Report(Sizes sizes, String flags) {
    this.sizes = sizes;
    this.flags = flags;
  }

  /** A table that is left out while it has no row. */
  private static final class Table {
    private final MarkdownTables text = new MarkdownTables();
    private int rows;

    void row(String... fields) {
      text.row(fields);
      rows++;
    }
  }

  private Table table(String... columns) {
    Table table = new Table();
    table.text.table(columns);
    tables.add(table);
    return table;
  }

  Aims aims() {
    return aims;
  }

  void cpu(Way way, LoadedJob.CpuFigure found) {
    cpu.row(
        way.name(),
        number(found.points()),
        cents(found.secondsPerPoint() * 1e6),
        number((long) found.rate()),
        Integer.toString(found.checkpoints()),
        cents(found.changelogPerPoint()),
        number(found.rollups()));
  }

  void step(String name, double micros) {
    steps.row(name, cents(micros));
  }

  void heap(Way way, HeapPart.HeapFigure found) {
    heap.row(
        way.name(),
        found.period() + " s",
        found.waiting(),
        number((long) found.heap()),
        number((long) found.disk()),
        number((long) found.changelog()),
        found.saveCpu());
  }

  void restart(Way way, int series, int rate, LoadedJob.RestartFigure found) {
    restart.row(
        way.name(),
        number(series),
        number(rate),
        tenths(found.reading()),
        tenths(found.caughtUp()),
        number(found.behind()));
  }

  void burst(Way way, int series, double mean, long found, long millis, long most, String fast) {
    burst.row(
        way.name(),
        number(series),
        number((long) mean),
        number(found * 1000 / millis),
        number(most),
        cents(most / mean) + "x",
        fast);
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String cents(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  static String tenths(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  String markdown() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "Command: `make bench-stream`, %s. Machine: %s, JDK %s. %s JVM of a job: -Xms and"
                    + " -Xmx %s, %s. Load average %.1f before and %.1f after.%n%n",
                LocalDate.now(ZoneOffset.UTC),
                Machine.cores(),
                Machine.jdk(),
                Cores.canBind()
                    ? "The job runs on one core, the broker on the other (taskset)."
                    : "Processes could not be bound to cores.",
                sizes.heap(),
                flags,
                loadBefore,
                Machine.load()));
    text.append(aims.markdown());
    tables.stream().filter(table -> table.rows > 0).forEach(t -> text.append(t.text.markdown()));
    return text.toString();
  }
}
