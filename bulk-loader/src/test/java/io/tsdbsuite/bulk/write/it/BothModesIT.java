package io.tsdbsuite.bulk.write.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TableDigest;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows written in either way are what a TSD answers, and stay so while TSDs write and compact. */
@Tag("slow")
class BothModesIT {
  private static final int HOURS = 6;
  private static final String[] HOSTS = {"a", "b", "c"};

  private static String[] conf(String kind) {
    return switch (kind) {
      case "salted" ->
          new String[] {"tsd.storage.salt.width", "1", "tsd.storage.salt.buckets", "7"};
      case "wide" ->
          new String[] {
            "tsd.storage.uid.width.metric", "4",
            "tsd.storage.uid.width.tagk", "2",
            "tsd.storage.uid.width.tagv", "4",
            "tsd.storage.salt.width", "2"
          };
      case "dated" -> new String[] {"tsd.storage.use_otsdb_timestamp", "true"};
      default -> new String[0];
    };
  }

  @ParameterizedTest
  @CsvSource({
    "plain, false",
    "plain, true",
    "salted, false",
    "salted, true",
    "wide, false",
    "wide, true",
    "dated, false",
    "dated, true"
  })
  void aTsdAnswersWhatWasLoaded(String kind, boolean hfiles) throws Exception {
    Installation in = Installation.start("both-" + kind + "-" + hfiles, conf(kind));
    long seed = Seed.VALUE;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<Hour> hours = new ArrayList<>();
    List<EncodedRow> rows = new ArrayList<>();
    long points = 0;
    for (String host : HOSTS) {
      for (int hour = 0; hour < HOURS; hour++) {
        Hour made = Hour.of(in, "m", host, hour).random(random);
        hours.add(made);
        rows.add(made.encode());
        points += made.points.size();
      }
    }

    Tally tally = new Loading(in).hfiles(hfiles).run(rows);

    assertThat(tally.get(Count.POINTS_WRITTEN)).isEqualTo(points);
    assertThat(tally.get(Count.ROWS_WRITTEN)).isEqualTo(rows.size());
    assertThat(tally.get(Count.DUPLICATES_IDENTICAL)).isEqualTo(rows.size());
    assertThat(tally.get(Count.ALREADY_STORED)).isZero();
    compare(in, in.tsd, hours);
    TableDigest digest = in.hbase().digest(in.table());
    assertThat(digest.cells()).isEqualTo(rows.size());

    Tally again = new Loading(in).hfiles(hfiles).run(rows);

    assertThat(again.get(Count.ALREADY_STORED)).isEqualTo(points);
    assertThat(again.get(Count.ROWS_UNCHANGED)).isEqualTo(rows.size());
    assertThat(again.get(Count.POINTS_WRITTEN)).isZero();
    assertThat(in.hbase().digest(in.table())).isEqualTo(digest);

    compactAndGoOn(in, hours);
  }

  /** A TSD that compacts reads all hours, and adds to the last one and to a later one. */
  private static void compactAndGoOn(Installation in, List<Hour> hours) {
    TsdServer compacting =
        in.another(
            "-compacting",
            "tsd.storage.enable_compaction",
            "true",
            "tsd.storage.compaction.flush_interval",
            "1",
            "tsd.storage.compaction.flush_speed",
            "7200",
            "tsd.storage.compaction.min_flush_threshold",
            "1");
    for (String host : HOSTS) {
      Hour last = hours.stream().filter(h -> hostOf(in, h, host)).reduce((a, b) -> b).orElseThrow();
      int second = firstFree(last);
      in.put("m", host, last.base + second, 77L);
      last.answer.put((last.base + second) * 1000, 77.0);
      Hour later = Hour.of(in, "m", host, HOURS).second(1, 5).second(2, 6.5);
      in.put("m", host, later.base + 1, 5L);
      in.put("m", host, later.base + 2, 6.5);
      hours.add(later);
    }
    compare(in, compacting, hours);
    Await.until(
        "the TSD's compaction of the rows that it read",
        Duration.ofMinutes(1),
        () -> in.hbase().digest(in.table()).cells() == hours.size());
    compare(in, in.tsd, hours);
    compacting.stop();
  }

  private static int firstFree(Hour hour) {
    int second = 0;
    while (hour.answer.containsKey((hour.base + second) * 1000)) {
      second++;
    }
    return second;
  }

  private static boolean hostOf(Installation in, Hour hour, String host) {
    return Arrays.equals(hour.key, in.key("m", host, hour.base));
  }

  private static void compare(Installation in, TsdServer tsd, List<Hour> hours) {
    for (String host : HOSTS) {
      SortedMap<Long, Double> expected = new TreeMap<>();
      hours.stream().filter(h -> hostOf(in, h, host)).forEach(h -> expected.putAll(h.answer));
      assertThat(in.ask(tsd, "m", host, Installation.BASE, Installation.BASE + 24 * 3600))
          .as("host %s", host)
          .isEqualTo(expected);
    }
  }
}
