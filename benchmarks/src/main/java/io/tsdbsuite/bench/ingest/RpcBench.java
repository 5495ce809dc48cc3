package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.message.write.MessageFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code make bench-rpcs}: the RPCs in which HBase gets a thousand cells, with one region and with
 * sixteen regions per table on the only region server.
 */
public final class RpcBench implements Suite {
  /** Regions of each table, in the order of the columns. */
  static final List<Integer> REGIONS = List.of(1, 16);

  private static final int ROUNDS = 3;
  private static final int METRICS = 2;
  private static final int POINTS = 250_000;
  private static final int BATCH = 50;
  private static final int CONNECTIONS = 2;

  /** Rollups per second of the round in which messages arrive in time. */
  private static final int RATE = 10_000;

  /** The loads, by the text before the way's name. */
  private static final String STREAM = "rollups of stream-rollup, a backlog";

  private static final String IN_TIME = "rollups of stream-rollup, " + RATE + " a second";
  private static final String JOB = "rollups of rollup-job, a backlog";

  @Override
  public String question() {
    return "How many RPCs and region batches do the cells from Kafka become?";
  }

  @Override
  public String peer() {
    return "a put for each value by OpenTSDB's own code; /api/put";
  }

  @Override
  public List<String> parts() {
    return List.of("rpcs");
  }

  @Override
  public List<String> numbers() {
    return List.of("SCALE", "ROUNDS");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    int rounds = (int) trial.second(ROUNDS);
    report.fact("%s share it. Medians of %d rounds after one to warm up", Servers.VERSIONS, rounds);
    Map<String, List<Samples<Cost>>> rows = new LinkedHashMap<>();
    for (int regions : REGIONS) {
      try (Servers servers = new Servers(regions, true);
          RegionServerMetrics metrics = RegionServerMetrics.of(servers.stack().hbase().pid())) {
        System.out.println("regions per table: " + regions);
        RollupLoad stream = rollups(trial, RollupLoad.Order.STREAM);
        RollupLoad job = rollups(trial, RollupLoad.Order.JOB);
        RawLoad raw = new RawLoad((int) Math.max(1000, POINTS * trial.scale()) / 1000 * 1000);
        for (Load load :
            List.of(
                new Load(
                    cells(stream),
                    List.of(
                        suite(servers, stream, STREAM, Servers.NO_LIMIT),
                        stock(servers, stream, STREAM))),
                new Load(
                    cells(stream),
                    List.of(
                        suite(
                            servers, stream, IN_TIME, Integer.toString(RATE * RollupLoad.VALUES)))),
                new Load(
                    cells(job),
                    List.of(suite(servers, job, JOB, Servers.NO_LIMIT), stock(servers, job, JOB))),
                new Load(
                    raw.points(),
                    List.of(
                        new PluginWay(
                            servers,
                            "raw points, a backlog: kafka-ingest",
                            Servers.RAW,
                            raw.messages(BATCH)),
                        new HttpWay(servers, raw, BATCH, CONNECTIONS))))) {
          for (Samples<Cost> one : load.measure(rounds, metrics)) {
            rows.computeIfAbsent(one.name(), name -> new ArrayList<>()).add(one);
          }
        }
      }
    }
    table(rows, report);
  }

  /** Ways that store the same cells. */
  private record Load(long cells, List<StoreWay> ways) {
    List<Samples<Cost>> measure(int rounds, RegionServerMetrics metrics)
        throws IOException, InterruptedException {
      return Samples.of(
          1,
          rounds,
          ways.stream()
              .map(way -> new Way<>(way.name(), () -> way.round(cells, metrics)))
              .toList());
    }
  }

  private static RollupLoad rollups(Trial trial, RollupLoad.Order order) {
    return new RollupLoad((int) Math.max(1, METRICS * trial.scale()), order);
  }

  private static StoreWay suite(Servers servers, RollupLoad load, String cells, String limit) {
    return new PluginWay(
        servers,
        cells + ": kafka-ingest",
        Servers.ROLLUPS,
        load.messages(Servers.ROLLUPS, MessageFormat.ROLLUP),
        limit);
  }

  private static StoreWay stock(Servers servers, RollupLoad load, String cells) {
    return new StockWay(
        servers, cells + ": stock way", load.messages(Servers.AGGREGATES, MessageFormat.AGGREGATE));
  }

  private static long cells(RollupLoad load) {
    return (long) load.points() * RollupLoad.VALUES;
  }

  /** A row for each way of each load, with the samples in the order of {@link #REGIONS}. */
  static void table(Map<String, List<Samples<Cost>>> rows, Report report) {
    report.table(
        "RPCs | RPCs per 1000 cells: 1 region | 16 regions | Region batches per 1000 cells: 1"
            + " region | 16 regions | CPU s of TSD and HBase per million cells: 1 region | 16"
            + " regions");
    rows.forEach(
        (name, costs) ->
            report.row(
                "%s | %s | %s | %s",
                name,
                costs.stream()
                    .map(cost -> Report.thousandths(cost.median(Cost::rpcsPerThousand)))
                    .collect(Collectors.joining(" | ")),
                costs.stream()
                    .map(cost -> Report.thousandths(cost.median(Cost::batchesPerThousand)))
                    .collect(Collectors.joining(" | ")),
                costs.stream()
                    .map(
                        cost ->
                            Report.tenths(
                                cost.median(each -> each.tsdPerMillion() + each.hbasePerMillion())))
                    .collect(Collectors.joining(" | "))));
  }
}
