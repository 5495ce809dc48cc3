package io.tsdbsuite.bulk.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TableDigest;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.WorkDirs;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was loaded is answered like what a TSD stored itself, query by query. */
class EqualityIT {
  /** A million with {@code -Dbulk.points=1000000}. */
  private static final int POINTS = Integer.getInteger("bulk.points", 20_000);

  private static final long SEED = Seed.VALUE;
  private static final Duration COMPACTION = Duration.ofMinutes(2);

  @ParameterizedTest
  @CsvSource({"put, plain", "hfile, salted", "put, tiered"})
  void likeATsd(String mode, String tables) throws Exception {
    String test = "equal-" + mode + "-" + tables;
    // A TSD can fail at its own date-tiered rows with both resolutions (docs/storage.md 11).
    RandomPoints points = new RandomPoints(test, POINTS, SEED, tables.equals("tiered") ? 10 : 7);
    TsdServer stored = LoaderStack.tsd(test + "-a", conf(test + "-a", tables));
    stored.client().put(points.points());
    Map<String, String> conf = conf(test + "-b", tables);
    TsdServer loaded = LoaderStack.tsd(test + "-b", conf);
    Path dir = WorkDirs.fresh(test);
    List<String> files = points.write(dir, 3);

    Loader.Outcome outcome = load(mode, loaded, dir.resolve("work"), files);
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.DONE);
    for (String metric : points.metrics()) {
      for (QuerySpec query : queries(metric)) {
        assertThat(Answers.of(loaded, query))
            .as(query.toString())
            .isNotEmpty()
            .isEqualTo(Answers.of(stored, query));
      }
    }

    Loader.Outcome verified = Loader.run(arguments("verify", loaded, dir.resolve("verify"), files));
    assertThat(verified.code()).as(verified.err()).isEqualTo(ExitCode.DONE);

    String table = conf.get("tsd.storage.hbase.data_table");
    TableDigest before = LoaderStack.hbase().digest(table);
    Loader.Outcome again = load(mode, loaded, dir.resolve("again"), files);
    assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.DONE);
    assertThat(LoaderStack.hbase().digest(table)).isEqualTo(before);

    goesOn(loaded, conf, points.metrics().get(0));
  }

  /**
   * The TSD writes a later hour of a loaded series and a late point into a loaded one, answers all,
   * and joins them by its own compaction if that is on.
   */
  static void goesOn(TsdServer tsd, Map<String, String> conf, String metric) throws Exception {
    long hour = RandomPoints.START + 3600L * RandomPoints.HOURS;
    QuerySpec query = QuerySpec.of(metric, RandomPoints.START, hour + 3598).tag("host", "h3");
    SortedMap<Long, Double> expected = new TreeMap<>(onlySeries(tsd, query));
    long late = RandomPoints.START;
    while (expected.containsKey(late * 1000)) {
      late++;
    }
    Map<String, String> tags = Map.of("host", "h3");
    List<DataPoint> points = new ArrayList<>(List.of(new DataPoint(metric, late, 3L, tags)));
    for (long second = hour + 5; second < hour + 9; second++) {
      points.add(new DataPoint(metric, second, second, tags));
    }
    tsd.client().put(points);
    points.forEach(
        point -> expected.put(point.timestamp() * 1000, ((Number) point.value()).doubleValue()));
    assertThat(onlySeries(tsd, query)).isEqualTo(expected);
    if (conf.containsKey("tsd.storage.enable_compaction")) {
      String table = conf.get("tsd.storage.hbase.data_table");
      Await.until(
          "the TSD has compacted the rows that it wrote to",
          COMPACTION,
          () -> {
            List<RawCell> cells = LoaderStack.hbase().cells(table);
            return cells.stream().map(cell -> ByteBuffer.wrap(cell.row())).distinct().count()
                == cells.size();
          });
      assertThat(onlySeries(tsd, query)).isEqualTo(expected);
    }
  }

  private static SortedMap<Long, Double> onlySeries(TsdServer tsd, QuerySpec query) {
    Collection<SortedMap<Long, Double>> series = Answers.of(tsd, query).values();
    assertThat(series).hasSize(1);
    return series.iterator().next();
  }

  private static List<QuerySpec> queries(String metric) {
    QuerySpec all = QuerySpec.of(metric, RandomPoints.START, Answers.end());
    return List.of(
        all, all.downsample("1h-count"), all.downsample("1h-max"), all.downsample("10m-sum"));
  }

  private static Map<String, String> conf(String test, String tables) {
    return switch (tables) {
      case "plain" ->
          LoaderStack.conf(
              test,
              "tsd.storage.enable_compaction",
              "true",
              "tsd.storage.compaction.flush_interval",
              "1",
              "tsd.storage.compaction.flush_speed",
              "7200",
              "tsd.storage.compaction.min_flush_threshold",
              "1");
      case "salted" ->
          LoaderStack.conf(
              test,
              "tsd.storage.salt.width",
              "1",
              "tsd.storage.salt.buckets",
              "4",
              "tsd.storage.uid.width.metric",
              "4",
              "tsd.storage.uid.width.tagk",
              "2",
              "tsd.storage.uid.width.tagv",
              "4");
      default -> LoaderStack.conf(test, "tsd.storage.use_otsdb_timestamp", "true");
    };
  }

  private static Loader.Outcome load(String mode, TsdServer tsd, Path work, List<String> files) {
    List<String> arguments = new ArrayList<>(List.of(arguments("load", tsd, work, files)));
    arguments.add("--mode=" + mode);
    if (mode.equals("hfile")) {
      arguments.add("--hfile-dir=" + LoaderStack.hfileDir(work));
    }
    return Loader.run(arguments.toArray(String[]::new));
  }

  private static String[] arguments(String command, TsdServer tsd, Path work, List<String> files) {
    List<String> arguments = new ArrayList<>();
    arguments.add(command);
    arguments.add("--tsd-config=" + tsd.configFile());
    arguments.add("--work-dir=" + work);
    arguments.add("--progress=none");
    arguments.add("--input");
    arguments.addAll(files);
    return arguments.toArray(String[]::new);
  }
}
