package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.message.write.MessageFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Counts the RPCs in which HBase gets a thousand cells: from kafka-ingest beside the stock way,
 * with one region and with sixteen regions per table on the only region server.
 */
final class RpcPart {
  static final int ROUNDS = 3;
  private static final int METRICS = 2;
  private static final int POINTS = 250_000;
  private static final int BATCH = 50;
  private static final int CONNECTIONS = 2;

  /** Rollups per second of the round in which messages arrive in time. */
  private static final int RATE = 10_000;

  private final Path plugin;
  private final Path stockSlf4j;
  private final double scale;
  private final int rounds;

  RpcPart(Path plugin, Path stockSlf4j, double scale, int rounds) {
    this.plugin = plugin;
    this.stockSlf4j = stockSlf4j;
    this.scale = scale;
    this.rounds = rounds;
  }

  /** Runs all rounds, with new servers for each number of regions. */
  RpcTable run() throws IOException {
    RpcTable table = new RpcTable(rounds);
    for (int regions : RpcTable.REGIONS) {
      try (Servers servers = Servers.salted(plugin, stockSlf4j, regions);
          RegionServerMetrics metrics = RegionServerMetrics.of(servers.stack().hbase().pid())) {
        System.out.println("regions per table: " + regions);
        RollupLoad stream = rollups(RollupLoad.Order.STREAM);
        RollupLoad job = rollups(RollupLoad.Order.JOB);
        for (Contest contest :
            List.of(
                contest(servers, stream, "rollups of stream-rollup, a backlog"),
                inTime(servers, stream),
                contest(servers, job, "rollups of rollup-job, a backlog"),
                raw(servers))) {
          contest.counting(metrics).run(rounds);
          for (int way = 0; way < contest.ways(); way++) {
            table.add(contest.name(way), RpcTable.Cost.of(contest, way));
          }
        }
      }
    }
    return table;
  }

  private RollupLoad rollups(RollupLoad.Order order) {
    return new RollupLoad((int) Math.max(1, METRICS * scale), order);
  }

  private static Contest contest(Servers servers, RollupLoad load, String cells) {
    Way suite =
        new PluginWay(
            servers,
            cells + ": kafka-ingest",
            Servers.ROLLUPS,
            load.messages(Servers.ROLLUPS, MessageFormat.ROLLUP));
    Way stock =
        new StockWay(
            servers,
            cells + ": stock way",
            load.messages(Servers.AGGREGATES, MessageFormat.AGGREGATE));
    return new Contest(servers, cells(load), List.of(suite, stock));
  }

  private static Contest inTime(Servers servers, RollupLoad load) {
    Way suite =
        new PluginWay(
            servers,
            "rollups of stream-rollup, " + RATE + " a second: kafka-ingest",
            Servers.ROLLUPS,
            load.messages(Servers.ROLLUPS, MessageFormat.ROLLUP),
            Integer.toString(RATE * RollupLoad.VALUES));
    return new Contest(servers, cells(load), List.of(suite));
  }

  private static long cells(RollupLoad load) {
    return (long) load.points() * RollupLoad.VALUES;
  }

  private Contest raw(Servers servers) {
    RawLoad load = new RawLoad((int) Math.max(1000, POINTS * scale) / 1000 * 1000);
    Way suite =
        new PluginWay(
            servers, "raw points, a backlog: kafka-ingest", Servers.RAW, load.messages(BATCH));
    Way put = new HttpWay(servers, load, BATCH, CONNECTIONS);
    return new Contest(servers, load.points(), List.of(suite, put));
  }
}
