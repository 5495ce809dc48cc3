package io.tsdbsuite.report.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.report.run.Books.Rows;
import io.tsdbsuite.report.select.Window;
import io.tsdbsuite.report.write.Format;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final long NOW = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);
  private static final long DAY = TimeUnit.DAYS.toMillis(1);

  private final MemorySource source = new MemorySource();
  private String text;

  /** A plan; the default is all series as a table. */
  private static final class Plan {
    private final String name;
    private final LongFunction<Window> windows;
    private String metric;
    private SortedMap<String, String> tags = new TreeMap<>();
    private boolean untracked;
    private String groupBy;
    private boolean oldestFirst;
    private int limit = ReportPlan.NO_LIMIT;
    private Format format = Format.TABLE;

    Plan(String name, LongFunction<Window> windows) {
      this.name = name;
      this.windows = windows;
    }

    Plan metric(String value) {
      metric = value;
      return this;
    }

    Plan tags(Map<String, String> value) {
      tags = new TreeMap<>(value);
      return this;
    }

    Plan untracked(boolean value) {
      untracked = value;
      return this;
    }

    Plan groupBy(String value) {
      groupBy = value;
      return this;
    }

    Plan oldestFirst(boolean value) {
      oldestFirst = value;
      return this;
    }

    Plan limit(int value) {
      limit = value;
      return this;
    }

    Plan format(Format value) {
      format = value;
      return this;
    }

    ReportPlan build() {
      return new ReportPlan(
          name, NOW, windows, metric, tags, untracked, groupBy, oldestFirst, limit, format);
    }
  }

  private static Plan idle() {
    return new Plan("idle", time -> Window.idle(time, 30 * DAY));
  }

  private static Plan stopped() {
    return new Plan("stopped", time -> Window.stopped(time, 24 * HOUR, 2 * HOUR));
  }

  private Books write(Plan plan) throws IOException {
    StringWriter out = new StringWriter();
    Books books = new Report(plan.build(), MemorySource.LAYOUT, source).write(out);
    text = out.toString();
    assertThat(books.closes()).isTrue();
    return books;
  }

  private String[] csv(Plan plan) throws IOException {
    write(plan.format(Format.CSV));
    return text.split("\r\n", -1);
  }

  /** The second column of a CSV list: metrics. */
  private String metrics(Plan plan) throws IOException {
    StringBuilder metrics = new StringBuilder();
    String[] lines = csv(plan);
    for (int i = 1; i < lines.length - 1; i++) {
      metrics.append(lines[i].split(",", -1)[1]).append(' ');
    }
    return metrics.toString().strip();
  }

  @Test
  void theEdgesOfTheWindows() throws IOException {
    source
        .tracked(NOW - 30 * DAY - 1, 1, "before30d", "h", "a")
        .tracked(NOW - 30 * DAY, 1, "at30d", "h", "a")
        .tracked(NOW - 30 * DAY + 1, 1, "after30d", "h", "a")
        .tracked(NOW - 24 * HOUR - 1, 1, "before24h", "h", "a")
        .tracked(NOW - 24 * HOUR, 1, "at24h", "h", "a")
        .tracked(NOW - 2 * HOUR, 1, "at2h", "h", "a")
        .tracked(NOW - 2 * HOUR + 1, 1, "after2h", "h", "a")
        .tracked(NOW + HOUR, 1, "future", "h", "a");
    assertThat(metrics(idle())).isEqualTo("before30d at30d");
    assertThat(metrics(stopped())).isEqualTo("at24h at2h");
  }

  @Test
  void daysOfASnapshotCountFromWhenItWasTaken() throws IOException {
    source.taken(7 * DAY).tracked(NOW - 7 * DAY - 5 * HOUR, 1, "broken", "h", "a");
    assertThat(metrics(stopped())).isEqualTo("broken");
    write(stopped().format(Format.TABLE));
    assertThat(text).contains("    5h 0m ");
  }

  @Test
  void aTableForEyes() throws IOException {
    source
        .row(
            source.tsuid("cpu", "host", "a", "dc", "x"),
            new byte[] {0, 0, 0, 0, 0, 0, 4, 0},
            NOW - 41 * DAY - 3 * HOUR,
            "{\"tsuid\":\"00\",\"custom\":{\"created\":7},\"created\":1763510400}")
        .tracked(NOW, 5, "cpu", "host", "b")
        .tracked(NOW - 50 * DAY, 1, "mem", "host", "a");
    Books books = write(idle().limit(1));
    assertThat(text)
        .isEqualTo(
            """
            LAST RECEIVED (UTC)        AGE       POINTS CREATED (UTC)        SERIES
            2026-10-11T09:00:00Z    41d 3h         1024 2025-11-19T00:00:00Z cpu{dc=x,host=a}
            1 of 2 series; --limit left the others off
            """);
    assertThat(books.lines())
        .containsExactly(
            "rows read 3 = listed 1 + left off by --limit 1 + not matching 1 + never tracked 0"
                + " + skipped 0");
  }

  @Test
  void jsonHasEverything() throws IOException {
    byte[] tsuid = source.tsuid("cpu", "host", "a\"b");
    source.row(tsuid, new byte[] {0, 0, 0, 0, 0, 0, 0, 1}, NOW - 31 * DAY + 7, null);
    source.row(source.tsuid("mem", "host", "a"), null, 0, "{\"created\":0}");
    Books books = write(idle().untracked(true).format(Format.JSON));
    JsonNode json = new ObjectMapper().readTree(text);
    assertThat(json.get("report").asText()).isEqualTo("idle");
    assertThat(json.get("nowMillis").asLong()).isEqualTo(NOW);
    assertThat(json.get("leftOff").asLong()).isZero();
    JsonNode cpu = json.get("series").get(0);
    assertThat(cpu.get("tsuid").asText()).isEqualTo("000001000100000001");
    assertThat(cpu.get("tags").get("host").asText()).isEqualTo("a\"b");
    assertThat(cpu.get("lastReceived").asText()).isEqualTo("2026-10-21T12:00:00Z");
    assertThat(cpu.get("lastReceivedMillis").asLong()).isEqualTo(NOW - 31 * DAY + 7);
    assertThat(cpu.get("points").asLong()).isEqualTo(1);
    assertThat(cpu.get("createdSeconds").isNull()).isTrue();
    JsonNode mem = json.get("series").get(1);
    assertThat(mem.get("lastReceived").isNull()).isTrue();
    assertThat(mem.get("points").isNull()).isTrue();
    assertThat(books.count(Rows.LISTED)).isEqualTo(2);
  }

  @Test
  void csvQuotesWhatNeedsIt() throws IOException {
    source.tracked(0, 1, "m", "k", "a,\"b\"");
    assertThat(csv(idle()))
        .containsExactly(
            "tsuid,metric,tags,last_received,last_received_ms,points,created_s",
            "000001000100000001,m,\"k=a,\"\"b\"\"\",1970-01-01T00:00:00Z,0,1,",
            "");
  }

  @Test
  void everyRowIsInTheBooks() throws IOException {
    source
        .tracked(0, 1, "idle", "h", "a")
        .tracked(NOW, 1, "living", "h", "a")
        .tracked(0, 1, "other", "h", "b")
        .tracked(0, 1, "?gone", "h", "a")
        .row(source.tsuid("untracked", "h", "a"), null, 0, "{}")
        .row(source.tsuid("untracked", "h", "b"), null, 0, "{}")
        .row(new byte[] {1, 2, 3}, new byte[8], 0, null)
        .row(new byte[] {1, 2, 3, 4}, new byte[8], 0, null)
        .row(source.tsuid("short", "h", "a"), new byte[4], 0, null)
        .row(source.tsuid("badmeta", "h", "a"), new byte[8], 0, "no JSON");
    Books books = write(idle().tags(Map.of("h", "a")));
    assertThat(books.count(Rows.READ)).isEqualTo(10);
    assertThat(books.count(Rows.LISTED)).isEqualTo(3);
    assertThat(books.count(Rows.NOT_MATCHING)).isEqualTo(3);
    assertThat(books.count(Rows.NEVER_TRACKED)).isEqualTo(1);
    assertThat(books.count(Rows.BAD_KEY)).isEqualTo(2);
    assertThat(books.count(Rows.BAD_COUNTER)).isEqualTo(1);
    assertThat(books.count(Rows.UNNAMED)).isEqualTo(1);
    assertThat(text).contains(" 000004{h=a}\n");
    assertThat(books.lines()).anyMatch(line -> line.startsWith("1 of the listed have a ts_meta"));
  }

  @Test
  void rowsWhosePairsNoDataRowHasAreSkippedAndCounted() throws IOException {
    byte[] sorted = source.tsuid("cpu", "dc", "x", "host", "a");
    byte[] stale = source.tsuid("cpu", "host", "a", "dc", "x");
    byte[] twice = source.tsuid("cpu", "host", "a", "host", "b");
    source
        .row(sorted, new byte[8], NOW, null)
        .row(stale, new byte[8], NOW - 300 * DAY, null)
        .row(twice, new byte[8], NOW - 300 * DAY, null);
    Books books = write(idle());
    assertThat(books.count(Rows.READ)).isEqualTo(3);
    assertThat(books.count(Rows.LISTED)).isZero();
    assertThat(books.count(Rows.BAD_TAGS)).isEqualTo(2);
    assertThat(books.count(Rows.BAD_KEY)).isZero();
    assertThat(books.lines()).anyMatch(line -> line.startsWith("skipped: 2 rows whose tag pairs"));
  }

  @Test
  void metricsAndTagsByNameAndGlob() throws IOException {
    source
        .tracked(0, 1, "proc.cpu", "h", "web1")
        .tracked(0, 1, "proc.mem", "h", "web2")
        .tracked(0, 1, "disk", "h", "web1")
        .tracked(0, 1, "net", "h", "db1", "x", "web1")
        .tracked(0, 1, "?gone", "h", "?gone");
    assertThat(metrics(idle().metric("proc.*"))).isEqualTo("proc.cpu proc.mem");
    assertThat(metrics(idle().metric("proc?mem"))).isEqualTo("proc.mem");
    assertThat(metrics(idle().tags(Map.of("h", "web*")))).isEqualTo("proc.cpu proc.mem disk");
    assertThat(metrics(idle().tags(Map.of("h", "web1")))).isEqualTo("proc.cpu disk");
    assertThat(metrics(idle().tags(Map.of("h", "db1", "x", "w*")))).isEqualTo("net");
    assertThat(write(idle().metric("disk")).count(Rows.READ)).isEqualTo(1);
  }

  @Test
  void namesThatDoNotExistAreNamedAllAtOnce() {
    source.tracked(0, 1, "m", "h", "a");
    assertThatThrownBy(() -> write(idle().metric("n").tags(Map.of("h", "b", "k", "*"))))
        .isInstanceOfSatisfying(
            JobException.class,
            e -> {
              assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
              assertThat(e.getMessage().lines())
                  .containsExactly(
                      "--metric must be a metric that tsdb-uid has, found: n",
                      "--tag h=b: the value must be a tag value that tsdb-uid has, found: b",
                      "--tag k=*: the key must be a tag key that tsdb-uid has, found: k");
            });
    assertThatThrownBy(() -> write(idle().groupBy("hots")))
        .hasMessageContaining("--group-by must be metric or a tag key")
        .hasMessageContaining("hots");
  }

  @Test
  void groupsShowABrokenHost() throws IOException {
    for (String metric : new String[] {"cpu", "mem", "net"}) {
      source
          .tracked(NOW - 5 * HOUR, 1, metric, "host", "broken")
          .tracked(NOW, 1, metric, "host", "fine");
    }
    source
        .tracked(NOW - 4 * HOUR, 1, "disk", "host", "fine")
        .tracked(NOW - 3 * HOUR, 1, "disk", "dc", "x")
        .row(source.tsuid("disk", "host", "broken"), null, 0, null);
    Books books = write(stopped().groupBy("host"));
    assertThat(text)
        .isEqualTo(
            """
                 STOPPED    OF SERIES OLDEST (UTC)         NEWEST (UTC)         host
                       3            4 2026-11-21T07:00:00Z 2026-11-21T07:00:00Z broken
                       1            4 2026-11-21T08:00:00Z 2026-11-21T08:00:00Z fine
                       1            1 2026-11-21T09:00:00Z 2026-11-21T09:00:00Z (without host)
            3 groups
            """);
    assertThat(books.count(Rows.LISTED)).isEqualTo(5);
    assertThat(books.count(Rows.NEVER_TRACKED)).isEqualTo(1);

    assertThat(csv(stopped().groupBy(ReportPlan.METRIC).limit(2)))
        .startsWith("group,series,of_series,oldest,oldest_ms,newest,newest_ms")
        .hasSize(4)
        .anyMatch(line -> line.startsWith("disk,2,3,2026-11-21T08:00:00Z,"));
    assertThat(write(stopped().groupBy(ReportPlan.METRIC).limit(2)).count(Rows.LEFT_OFF))
        .isEqualTo(2);

    write(stopped().groupBy("host").format(Format.JSON));
    JsonNode groups = new ObjectMapper().readTree(text).get("groups");
    assertThat(groups.get(0).get("group").asText()).isEqualTo("broken");
    assertThat(groups.get(0).get("ofSeries").asLong()).isEqualTo(4);
    assertThat(groups.get(2).get("group").isNull()).isTrue();
  }

  @Test
  void theOldestOfMany() throws IOException {
    for (int i = 0; i < 100; i++) {
      long time = i * 37L % 100;
      source.tracked(time, 1, "m" + time, "h", "a");
    }
    source.row(source.tsuid("never", "h", "a"), null, 0, null);
    assertThat(metrics(idle().oldestFirst(true).limit(3))).isEqualTo("m0 m1 m2");
    Books books = write(idle().oldestFirst(true).limit(3).untracked(true));
    assertThat(books.count(Rows.LISTED)).isEqualTo(3);
    assertThat(books.count(Rows.LEFT_OFF)).isEqualTo(98);
    assertThat(metrics(idle().oldestFirst(true).limit(200).untracked(true))).endsWith("m99 never");
  }
}
