package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.journal.JournalEvent;
import io.tsdbsuite.bulk.journal.LoadState;
import io.tsdbsuite.bulk.journal.WorkDir;
import io.tsdbsuite.bulk.settings.InputSettings;
import io.tsdbsuite.bulk.settings.LoadSettings;
import io.tsdbsuite.bulk.settings.Mode;
import io.tsdbsuite.bulk.settings.TsdSettings;
import io.tsdbsuite.bulk.settings.WriteSettings;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.job.cli.DryRun;
import io.tsdbsuite.synthetic.SyntheticShape;
import java.io.InputStream;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;

/**
 * What {@code --dry-run} of each command does: the checks before the first write, and a text about
 * what would follow. All methods throw {@link io.tsdbsuite.job.JobException} as the command would.
 */
public final class LoadPreview {
  private static final String NOTHING =
      "nothing was read into the work directory, nothing was written";

  private LoadPreview() {}

  /**
   * Of {@code spark-load}.
   *
   * @param base Hadoop's settings
   */
  public static String load(
      TsdSettings tsd, InputSettings input, WriteSettings write, Clock clock, Configuration base) {
    Requirements requirements = Requirements.of(tsd, write, clock.instant(), base);
    LoadInput found =
        LoadInput.find(input, 1, requirements.configuration(), InputStream.nullInputStream());
    DryRun text = input(new DryRun(), found);
    table(text, requirements);
    return text.line("HFiles", "to " + write.hfileDir()).end("no task ran, nothing was written");
  }

  /** Of {@code resume}. The work directory is not opened: another process may work in it. */
  public static String resume(LoadSettings settings, Clock clock) {
    LoadState before = WorkDir.look(settings.run().workDir());
    JournalEvent.Started started = before.started().orElseThrow();
    LoadJob.requireSameSchema(settings, started.schema());
    Requirements requirements = Requirements.of(settings, clock.instant());
    LoadInput found = LoadInput.find(settings, requirements, System.in);
    DryRun text = new DryRun().line("load", "of " + started.runId());
    if (before.readDone()) {
      text.line("input", "has been read, into " + before.runs().size() + " runs");
    } else {
      found.requireUnchanged(started.inputs());
      input(text, found);
    }
    table(text, requirements);
    text.line("rows", before.written() ? "have been written" : rest(before));
    return text.end(NOTHING);
  }

  private static String rest(LoadState before) {
    return before.cut()
        ? "are written further, of the " + (before.cuts().size() + 1) + " ranges that were begun"
        : "are all still to be written";
  }

  /** Of {@code verify}. */
  public static String verify(LoadSettings settings, Clock clock, InputStream stdin) {
    Requirements requirements = Requirements.of(settings, clock.instant());
    LoadInput found = LoadInput.find(settings, requirements, stdin);
    WorkDir.requireFree(settings.run().workDir());
    DryRun text = input(new DryRun(), found);
    try (TsdHBase hbase = requirements.connect()) {
      String table = settings.tsd().schema().dataTable();
      regions(text, table, TableFacts.read(hbase.connection(), table));
    }
    return text.line("work directory", settings.run().workDir().toString())
        .end("nothing was compared, nothing was written");
  }

  /** Of {@code generate} into tables. */
  public static String generate(LoadSettings settings, SyntheticShape shape, Clock clock) {
    Requirements requirements = Requirements.of(settings, clock.instant());
    WorkDir.requireFree(settings.run().workDir());
    DryRun text = generate(shape);
    try (TsdHBase hbase = requirements.connect()) {
      TableFacts table = requirements.table(hbase);
      GenerateJob.requireNoProblems(
          settings, shape, table, requirements.stamps(), requirements.began(), clock);
      GenerateJob.requireAboveFloors(hbase, settings, shape, clock);
      regions(text, settings.tsd().schema().dataTable(), table);
      text.line("row keys", requirements.rowKeys(hbase, table));
      text.line("coverage", requirements.coverage(hbase));
    }
    return text.line("mode", settings.write().mode().key()).end(NOTHING);
  }

  /** The lines about generated points. */
  public static DryRun generate(SyntheticShape shape) {
    return new DryRun()
        .line("series", shape.series(), "series")
        .line("points", shape.points(), "points")
        .line("time", shape.start() + " to " + shape.start().plus(shape.span()));
  }

  private static DryRun input(DryRun text, LoadInput found) {
    return text.line("input", found.files().size(), "files")
        .line("", found.bytes(), "bytes as stored, 0 if not known");
  }

  private static void table(DryRun text, Requirements requirements) {
    try (TsdHBase hbase = requirements.connect()) {
      TableFacts table = requirements.table(hbase);
      regions(text, requirements.tsd().schema().dataTable(), table);
      text.line("row keys", requirements.rowKeys(hbase, table));
      if (requirements.write().mode() == Mode.PUT) {
        text.line("write-ahead log", requirements.write().wal().key());
      }
      text.line("coverage", requirements.coverage(hbase));
    }
  }

  private static void regions(DryRun text, String name, TableFacts table) {
    text.line("table", name + ", " + table.regions().size() + " regions");
  }
}
