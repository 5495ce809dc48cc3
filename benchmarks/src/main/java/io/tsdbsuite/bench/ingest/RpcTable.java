package io.tsdbsuite.bench.ingest;

import io.tsdbsuite.bench.measure.Machine;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** RPCs, batches of regions and CPU per cell as Markdown: a row for each way of each load. */
final class RpcTable {
  /** Regions of each table, in the order of the columns. */
  static final List<Integer> REGIONS = List.of(1, 16);

  /**
   * Cost of cells.
   *
   * @param rpcs RPCs per thousand cells
   * @param regionBatches batches of regions ({@link RegionServerCounts}) per thousand cells
   * @param cpu CPU of TSD and HBase, seconds per million cells
   */
  record Cost(double rpcs, double regionBatches, double cpu) {
    /**
     * The cost of one way.
     *
     * @param contest a contest whose units are cells
     */
    static Cost of(Contest contest, int way) {
      return new Cost(
          contest.perThousand(way, RegionServerCounts::rpcs),
          contest.perThousand(way, RegionServerCounts::regionBatches),
          contest.cpu(way, Round::serversCpu));
    }
  }

  private final int rounds;
  private final double loadBefore = Machine.load();
  private final Map<String, List<Cost>> rows = new LinkedHashMap<>();

  RpcTable(int rounds) {
    this.rounds = rounds;
  }

  /** Adds a cost to a row; each row gets its costs in the order of {@link #REGIONS}. */
  void add(String row, Cost cost) {
    rows.computeIfAbsent(row, r -> new ArrayList<>()).add(cost);
  }

  String markdown() {
    return String.format(
            Locale.ROOT,
            """
Command: `make bench-ingest`, this part alone `make bench-ingest ARGS=rpcs`, %s. Machine: %s for HBase 2.6.4, Kafka 3.9.2, TSD 2.4.1 and the client together, JDK %s. Load average %.1f before the first round and %.1f after the last. Medians of %d rounds after one to warm up.

""",
            LocalDate.now(ZoneOffset.UTC),
            Machine.cores(),
            Machine.jdk(),
            loadBefore,
            Machine.load(),
            rounds)
        + table();
  }

  /** The table alone. */
  String table() {
    StringBuilder table =
        new StringBuilder(
            """
| RPCs | RPCs per 1000 cells: 1 region | 16 regions | Region batches per 1000 cells: 1 region | 16 regions | CPU s of TSD and HBase per million cells: 1 region | 16 regions |
| --- | --- | --- | --- | --- | --- | --- |
""");
    rows.forEach(
        (name, costs) -> {
          table.append("| ").append(name);
          fields(table, costs, "%.3f", Cost::rpcs);
          fields(table, costs, "%.3f", Cost::regionBatches);
          fields(table, costs, "%.1f", Cost::cpu);
          table.append(" |\n");
        });
    return table.toString();
  }

  private static void fields(
      StringBuilder table, List<Cost> costs, String format, ToDoubleFunction<Cost> value) {
    for (Cost cost : costs) {
      table.append(" | ").append(String.format(Locale.ROOT, format, value.applyAsDouble(cost)));
    }
  }
}
