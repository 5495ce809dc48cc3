package io.tsdbsuite.report.write;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** CSV as in RFC 4180: a header, CRLF, quotes only if needed. */
final class CsvWriter implements ReportWriter {
  private final Appendable out;
  private final boolean groups;

  CsvWriter(Appendable out, Kind kind) {
    this.out = out;
    groups = kind.groupBy() != null;
  }

  @Override
  public void begin() throws IOException {
    if (groups) {
      record("group", "series", "of_series", "oldest", "oldest_ms", "newest", "newest_ms");
    } else {
      record("tsuid", "metric", "tags", "last_received", "last_received_ms", "points", "created_s");
    }
  }

  @Override
  public void series(Series series) throws IOException {
    StringBuilder tags = new StringBuilder();
    for (Map.Entry<String, String> tag : series.tags().entrySet()) {
      tags.append(tags.length() == 0 ? "" : " ")
          .append(tag.getKey())
          .append('=')
          .append(tag.getValue());
    }
    record(
        series.tsuid(),
        series.metric(),
        tags.toString(),
        Times.utc(series.lastReceived(), ""),
        text(series.lastReceived()),
        text(series.points()),
        text(series.created()));
  }

  @Override
  public void group(Group group) throws IOException {
    record(
        group.name() == null ? "" : group.name(),
        Long.toString(group.matching()),
        Long.toString(group.total()),
        Times.utc(group.oldest(), ""),
        text(group.oldest()),
        Times.utc(group.newest(), ""),
        text(group.newest()));
  }

  @Override
  public void end(long leftOff) {
    // A line that is not a record breaks CSV readers; the books on standard error have the number.
  }

  private static String text(@Nullable Long number) {
    return number == null ? "" : number.toString();
  }

  private void record(String... fields) throws IOException {
    String separator = "";
    for (String field : fields) {
      out.append(separator).append(quoted(field));
      separator = ",";
    }
    out.append("\r\n");
  }

  private static String quoted(String field) {
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == ',' || c == '"' || c == '\r' || c == '\n') {
        return '"' + field.replace("\"", "\"\"") + '"';
      }
    }
    return field;
  }
}
