package io.tsdbsuite.bulk.uid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.hbase.TsdHBase;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.ToolRun;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four loaders, each with a connection of its own, and a TSD that all create the same names at
 * once. {@code -Drace.names} says how many.
 */
@Tag("slow")
class UidRaceIT {
  private static final int NAMES = Integer.getInteger("race.names", 3_000);
  private static final int METRICS = NAMES / 100;
  private static final int LOADERS = Integer.getInteger("race.loaders", 4);

  /** Names of a chunk of one load; it is resolved at once, as by a spill. */
  private static final int SPILL = 25_000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyNameGetsOneUid(boolean random) throws Exception {
    Path dir = WorkDirs.fresh("UidRaceIT-" + random);
    Map<String, String> conf = Map.of("tsd.core.uid.random_metrics", Boolean.toString(random));
    Stack.Builder servers = Stack.in(dir).tsd(conf);
    if (Boolean.getBoolean("race.optimized")) {
      servers.optimized();
    }
    try (Stack stack = servers.start()) {
      TsdConfig config = TsdConfig.load(stack.tsd().configFile());
      List<Callable<List<NewSeries>>> racers = new ArrayList<>();
      CountDownLatch start = new CountDownLatch(LOADERS + 1);
      for (int i = 0; i < LOADERS; i++) {
        racers.add(() -> load(config, start));
      }
      racers.add(
          () -> {
            start.countDown();
            start.await();
            long begin = System.nanoTime();
            stack.tsd().client().put(points(), 2000);
            System.out.printf(
                "UidRaceIT: the TSD has all names after %.1f s%n",
                (System.nanoTime() - begin) / 1e9);
            return List.of();
          });

      List<NewSeries> first = null;
      ExecutorService threads = Executors.newFixedThreadPool(racers.size());
      try {
        for (Future<List<NewSeries>> racer : threads.invokeAll(racers)) {
          List<NewSeries> series = racer.get();
          if (first != null && !series.isEmpty()) {
            for (int i = 0; i < first.size(); i++) {
              assertThat(series.get(i).template()).isEqualTo(first.get(i).template());
            }
          }
          first = first == null ? series : first;
        }
      } finally {
        threads.shutdownNow();
      }
      check(stack, dir, random);
    }
  }

  private static String metric(int i) {
    return "race.metric." + i % METRICS;
  }

  private static List<NewSeries> load(TsdConfig config, CountDownLatch start) throws Exception {
    StorageSchema schema = StorageSchema.from(config);
    try (TsdHBase hbase =
            TsdHBase.open(
                HBaseAddress.from(config),
                TsdHBase.configuration(new Configuration(), HBaseAddress.from(config), Map.of()),
                TsdHBase.tables(schema, false));
        UidAssigner uids = new UidAssigner(hbase.connection(), schema, true)) {
      List<NewSeries> series =
          IntStream.range(0, NAMES)
              .mapToObj(i -> new NewSeries(metric(i), List.of("race.key", "race.value." + i)))
              .toList();
      UidSeriesResolver resolver = new UidSeriesResolver(uids, schema);
      start.countDown();
      start.await();
      long begin = System.nanoTime();
      for (int from = 0; from < NAMES; from += SPILL) {
        resolver.resolve(series.subList(from, Math.min(NAMES, from + SPILL)));
      }
      System.out.printf(
          "UidRaceIT: a loader has %d names after %.1f s%n",
          NAMES, (System.nanoTime() - begin) / 1e9);
      return series;
    }
  }

  private static List<DataPoint> points() {
    return IntStream.range(0, NAMES)
        .mapToObj(
            i -> new DataPoint(metric(i), UidStack.TIME, 1L, Map.of("race.key", "race.value." + i)))
        .toList();
  }

  private static Duration cpu(Stack stack) {
    return ProcessHandle.of(stack.hbase().pid())
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private static void check(Stack stack, Path dir, boolean random) throws IOException {
    int leaks = 0;
    long numbers = 0;
    for (UidKind kind : UidKind.values()) {
      Map<String, String> forward = new TreeMap<>();
      Map<String, String> reverse = new TreeMap<>();
      for (RawCell cell : stack.hbase().cells("tsdb-uid")) {
        if (Arrays.equals(cell.qualifier(), kind.qualifierBytes()) && cell.row().length > 1) {
          boolean byName = cell.family().equals(UidRow.ID_FAMILY);
          byte[] name = byName ? cell.row() : cell.value();
          byte[] uid = byName ? cell.value() : cell.row();
          String text = new String(name, StandardCharsets.ISO_8859_1);
          String hex = HexFormat.of().formatHex(uid);
          String before = byName ? forward.put(text, hex) : reverse.put(hex, text);
          assertThat(before).isNull();
        }
      }
      int names = kind == UidKind.METRIC ? METRICS : kind == UidKind.TAGK ? 1 : NAMES;
      assertThat(forward).hasSize(names);
      // Each UID has its own name: so no two names share one.
      forward.forEach((name, uid) -> assertThat(reverse).containsEntry(uid, name));
      leaks += reverse.size() - forward.size();
      try (UidTable table =
          new UidTable(stack.hbase().connection(), TableName.valueOf("tsdb-uid"))) {
        numbers += table.counter(kind);
      }
    }
    // The TSD does not take back what it made in vain. Loaders do.
    long lostByTsd;
    try (var lines = Files.lines(dir.resolve("tsd").resolve("tsd.log"))) {
      lostByTsd = lines.filter(line -> line.contains("was leaked")).count();
    }
    ToolRun fsck = stack.tsd().tool("UidManager", "fsck");
    List<String> errors =
        fsck.lines(" ERROR ").stream().filter(line -> line.contains("nconsistent")).toList();
    System.out.printf(
        "UidRaceIT: random metrics %s, %d names, HBase took %s of CPU, %d numbers"
            + " taken, %d races lost by the TSD,"
            + " %d leaks, fsck %s%n",
        random,
        NAMES + METRICS + 1,
        cpu(stack),
        numbers,
        lostByTsd,
        leaks,
        fsck.lines("rrors found"));
    assertThat((long) leaks).isEqualTo(lostByTsd);
    assertThat(errors).hasSize(leaks);
    assertThat(fsck.lines("is missing forward")).isEmpty();
    if (leaks == 0 && !random) {
      assertThat(fsck.exitCode()).as(fsck.output()).isZero();
    }
  }
}
