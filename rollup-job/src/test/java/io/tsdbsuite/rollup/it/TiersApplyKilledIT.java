package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.tiers.apply.ApplyReport;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An apply that is killed at a random moment, and a second one that finishes it. */
@Tag("slow")
class TiersApplyKilledIT {
  private static final int KILLS = 20;
  private static final int SERIES = 2;
  private static final long ROWS = 2 * 24 * SERIES;
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final List<byte[]> SPLITS = List.of(HexFormat.of().parseHex("000002"));

  @Test
  void aSecondApplyFinishes() throws Exception {
    Random random = Seed.random();
    TreeMap<String, Integer> found = new TreeMap<>();
    try (TierStore store = new TierStore("tapply-kill", SPLITS, SERIES, KILLS + 1)) {
      store.rollUp();
      for (int day = 0; day <= KILLS; day++) {
        store.write(store.proof(day));
      }
      long whole = run(store, 0, Long.MAX_VALUE);
      List<RawCell> expected = store.hbase().cells(store.dataTable());
      for (int day = 1; day <= KILLS; day++) {
        long moment = random.nextLong(whole);
        run(store, day, moment);
        found.merge(state(store), 1, Integer::sum);
        ApplyReport finished = store.apply(day);
        String what = "day " + day + ", killed after " + moment + " ns of " + whole;
        assertThat(finished.exitCode()).as(what + finished.message()).isEqualTo(ExitCode.DONE);
        assertThat(finished.booksClose()).as(what).isTrue();
        JsonNode json = finished.report().json().at("/days/0");
        if (!json.get("doneBefore").booleanValue()) {
          assertThat(json.at("/rows/planned").longValue()).as(what).isEqualTo(ROWS);
          assertThat(json.at("/rows/deleted").longValue()).as(what).isEqualTo(ROWS);
        }
        int of = day;
        expected.removeIf(cell -> store.isProven(cell.row(), of));
        assertThat(store.hbase().cells(store.dataTable())).as(what).isEqualTo(expected);
      }
    }
    System.out.println("killed: " + found);
  }

  /** How far the newest apply was. */
  private static String state(TierStore store) {
    TreeSet<String> all = new TreeSet<>();
    for (String proof : names(store.markers())) {
      TreeSet<String> of = new TreeSet<>(names(store.markers().resolve(proof)));
      of.retainAll(List.of("tiers-apply.json", "_loading", "_loaded"));
      all.add(of.toString());
    }
    return all.first().equals("[_loaded, _loading, tiers-apply.json]") ? all.last() : all.first();
  }

  private static List<String> names(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  /**
   * Applies a day.
   *
   * @param nanos after which it is killed, from when it has begun to write
   * @return how long it has run since then
   */
  private static long run(TierStore store, int day, long nanos) throws Exception {
    int before = names(store.markers()).size();
    Path log = TestFiles.directory("tapply-kill");
    try (ChildJob child = ChildJob.start(store.arguments(day), log)) {
      Await.until(
          "the apply writes",
          LONG,
          () -> names(store.markers()).size() > before || child.ended(Duration.ZERO));
      long begin = System.nanoTime();
      boolean ended = child.ended(nanos == Long.MAX_VALUE ? LONG : Duration.ofNanos(nanos));
      long took = System.nanoTime() - begin;
      if (nanos == Long.MAX_VALUE) {
        assertThat(ended).isTrue();
      }
      if (ended) {
        assertThat(child.exitValue()).as(child.output()).isZero();
      }
      return took;
    }
  }
}
