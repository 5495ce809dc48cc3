package io.tsdbsuite.query.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** The jar in a TSD with a packed table, which is disabled while queries read it. */
class PackedTableIT {
  private static final long FROM = CoveredTsd.FROM;
  private static final long HOUR = CoveredTsd.HOUR;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String PREFIX = "/plugin/rollup-query/";
  private static final String URI =
      PREFIX
          + "api/query?start="
          + FROM
          + "&end="
          + (FROM + 6 * HOUR - 1)
          + "&m=sum:1h-sum:q.covered";
  private static final String LAG =
      "tsd.rollup_query.packed.lag_seconds interval=1h plugin=httprpc";

  @Test
  void plainRowsAreReadWhileThePackedTableDoesNotAnswer() throws IOException {
    CoveredTsd covered = CoveredTsd.startPacked("packed");
    TsdServer tsd = covered.tsd();
    TableName table = TableName.valueOf(covered.packedTable());
    String end = Instant.ofEpochSecond(FROM + 4 * HOUR).toString();
    try (Admin admin = QueryStack.hbase().connection().getAdmin()) {
      covered.storePacked();
      covered.claim(
          admin,
          covered.window("1h", 0, 4),
          covered.window("1h.packed", covered.packedTable(), 0, 4));
      await(tsd, "0: 1h.packed:4 raw:");
      assertThat(values(get(tsd))).containsExactly("2000", "2001", "2002", "2003", "360", "360");
      assertThat(status(tsd))
          .endsWith("Packed rows of 1h in packed-p1h: the last window ends at " + end + "\n");
      assertThat(tsd.client().stats()).containsEntry(LAG, "0");

      admin.disableTable(table);
      List<String> notes = new ArrayList<>();
      Await.until(
          "the table not to be asked",
          PATIENCE,
          () -> {
            RawHttp.Answer answer = get(tsd);
            notes.add(answer.header("X-Rollup-Query"));
            assertThat(values(answer))
                .as(notes.toString())
                .containsExactly("1000", "1001", "1002", "1003", "360", "360");
            return status(tsd).contains("does not answer")
                && answer.header("X-Rollup-Query").startsWith("0: 1h:4 raw:");
          });
      assertThat(notes)
          .allMatch(note -> note.matches("0: (1h.packed:4 raw:\\d+s; )?1h:4 raw:\\d+s"));
      assertThat(status(tsd))
          .contains("Rollups of 1h in packed-1h: the last window ends at " + end)
          .contains("Packed rows of 1h in packed-p1h are not read: the table does not answer: ");
      assertThat(tsd.client().stats())
          .containsEntry(LAG, Long.toString(FROM + 4 * HOUR))
          .doesNotContainKey(
              "tsd.rollup_query.coverage.lag_seconds interval=1h.packed plugin=httprpc");

      admin.enableTable(table);
      await(tsd, "0: 1h.packed:4 raw:");
      assertThat(status(tsd)).doesNotContain("does not answer");
    }
    tsd.stop();
  }

  private static void await(TsdServer tsd, String note) {
    Await.until(note, PATIENCE, () -> get(tsd).header("X-Rollup-Query").startsWith(note));
  }

  private static RawHttp.Answer get(TsdServer tsd) throws IOException {
    return RawHttp.get(tsd.port(), URI);
  }

  private static String status(TsdServer tsd) throws IOException {
    return RawHttp.get(tsd.port(), PREFIX + "status").text();
  }

  /** The values of the answer, without a fraction of zero. */
  private static List<String> values(RawHttp.Answer answer) {
    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
    List<String> values = new ArrayList<>();
    Matcher value = Pattern.compile("\"\\d{10}\":(-?[0-9.E]+)").matcher(answer.text());
    while (value.find()) {
      values.add(value.group(1).replaceAll("\\.0$", ""));
    }
    return values;
  }
}
