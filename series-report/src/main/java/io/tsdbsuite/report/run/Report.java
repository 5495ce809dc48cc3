package io.tsdbsuite.report.run;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.model.MetaRow;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.UidNames;
import io.tsdbsuite.report.run.Books.Rows;
import io.tsdbsuite.report.select.Selection;
import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.ReportWriter;
import io.tsdbsuite.report.write.SeriesNamer;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One report over one source. */
public final class Report {
  private final ReportPlan plan;
  private final TsuidLayout layout;
  private final MetaSource source;
  private final Books books = new Books();
  private final List<MetaRow> sound = new ArrayList<>();

  public Report(ReportPlan plan, TsuidLayout layout, MetaSource source) {
    this.plan = plan;
    this.layout = layout;
    this.source = source;
  }

  /**
   * Reads the rows and writes the report.
   *
   * @return the books; the caller checks them
   * @throws IOException when the report cannot be written
   * @throws JobException when a name is unknown, or the source fails
   */
  public Books write(Writer out) throws IOException {
    long time = source.time(plan.now());
    Window window = plan.windows().apply(time);
    UidNames names = source.names();
    Selection selection = new Selection(layout, names, plan.metric(), plan.tags());
    ReportWriter writer =
        plan.format().writer(out, new ReportWriter.Kind(plan.name(), time, plan.groupBy()));
    SeriesNamer namer = new SeriesNamer(layout, names);
    Collector collector = collector(names, namer, writer);
    writer.begin();
    source.scan(
        selection.startRow(),
        selection.stopRow(),
        rows -> take(rows, selection, window, collector));
    collector.finish(books);
    books.add(Rows.UNNAMED, namer.unnamed());
    books.add(Rows.UNREADABLE, namer.unreadable());
    return books;
  }

  /**
   * Looks up the names of the plan, and reads no rows.
   *
   * @return the reference time of the rows
   * @throws JobException usage, when a name is unknown; outside, when the source fails
   */
  public Instant check() {
    UidNames names = source.names();
    Selection unused = new Selection(layout, names, plan.metric(), plan.tags());
    if (plan.groupBy() != null) {
      Long unusedTagk = groupTagk(plan.groupBy(), names);
    }
    return Instant.ofEpochMilli(source.time(plan.now()));
  }

  private Collector collector(UidNames names, SeriesNamer namer, ReportWriter writer) {
    String groupBy = plan.groupBy();
    if (groupBy != null) {
      return new GroupCollector(
          layout, names, namer, writer, plan.limit(), groupTagk(groupBy, names));
    }
    return plan.oldestFirst()
        ? new OldestCollector(namer, writer, plan.limit())
        : new ListCollector(namer, writer, plan.limit());
  }

  private static @Nullable Long groupTagk(String groupBy, UidNames names) {
    if (groupBy.equals(ReportPlan.METRIC)) {
      return null;
    }
    Long uid = names.uid(UidKind.TAGK, groupBy);
    if (uid == null) {
      throw JobException.usage(
          "--group-by must be metric or a tag key that tsdb-uid has, found: " + groupBy);
    }
    return uid;
  }

  private void take(List<MetaRow> rows, Selection selection, Window window, Collector collector)
      throws IOException {
    books.add(Rows.READ, rows.size());
    sound.clear();
    for (MetaRow row : rows) {
      if (!layout.fits(row.tsuid())) {
        books.add(Rows.BAD_KEY, 1);
      } else if (!layout.ascends(row.tsuid())) {
        books.add(Rows.BAD_TAGS, 1);
      } else if (!row.counterIsSound()) {
        books.add(Rows.BAD_COUNTER, 1);
      } else {
        sound.add(row);
      }
    }
    selection.prepare(sound);
    for (MetaRow row : sound) {
      if (!selection.wants(row)) {
        books.add(Rows.NOT_MATCHING, 1);
      } else if (row.tracked() ? window.contains(row.lastReceivedMillis()) : plan.untracked()) {
        collector.matching(row);
      } else {
        books.add(row.tracked() ? Rows.NOT_MATCHING : Rows.NEVER_TRACKED, 1);
        collector.other(row);
      }
    }
  }
}
