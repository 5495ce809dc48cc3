package io.tsdbsuite.report.write;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A text table. Columns have fixed widths and names come last, so rows need no buffer. */
final class TableWriter implements ReportWriter {
  private static final String NONE = "-";
  private static final String SERIES = "%-20s %9s %12s %-20s ";
  private static final String GROUP = "%12s %12s %-20s %-20s ";

  private final Appendable out;
  private final Kind kind;
  private long written;

  TableWriter(Appendable out, Kind kind) {
    this.out = out;
    this.kind = kind;
  }

  @Override
  public void begin() throws IOException {
    if (kind.groupBy() == null) {
      line(SERIES, "LAST RECEIVED (UTC)", "AGE", "POINTS", "CREATED (UTC)");
      out.append("SERIES\n");
    } else {
      line(
          GROUP, kind.name().toUpperCase(Locale.ROOT), "OF SERIES", "OLDEST (UTC)", "NEWEST (UTC)");
      out.append(kind.groupBy()).append('\n');
    }
  }

  @Override
  public void series(Series series) throws IOException {
    Long last = series.lastReceived();
    Long created = series.created();
    line(
        SERIES,
        Times.utc(last, "never tracked"),
        last == null ? NONE : Times.age(kind.now() - last),
        series.points() == null ? NONE : series.points().toString(),
        Times.utc(created == null ? null : TimeUnit.SECONDS.toMillis(created), NONE));
    out.append(series.metric()).append('{');
    String separator = "";
    for (Map.Entry<String, String> tag : series.tags().entrySet()) {
      out.append(separator).append(tag.getKey()).append('=').append(tag.getValue());
      separator = ",";
    }
    out.append("}\n");
    written++;
  }

  @Override
  public void group(Group group) throws IOException {
    line(
        GROUP,
        Long.toString(group.matching()),
        Long.toString(group.total()),
        Times.utc(group.oldest(), NONE),
        Times.utc(group.newest(), NONE));
    out.append(group.name() == null ? "(without " + kind.groupBy() + ")" : group.name())
        .append('\n');
    written++;
  }

  @Override
  public void end(long leftOff) throws IOException {
    boolean one = written + leftOff == 1;
    String things = kind.groupBy() == null ? " series" : one ? " group" : " groups";
    if (leftOff == 0) {
      out.append(written + things + "\n");
    } else {
      out.append(
          written + " of " + (written + leftOff) + things + "; --limit left the others off\n");
    }
  }

  private void line(String format, String... columns) throws IOException {
    out.append(String.format(Locale.ROOT, format, (Object[]) columns));
  }
}
