package io.tsdbsuite.bench.meta;

import io.tsdbsuite.bench.measure.Aims;
import java.util.Locale;
import org.openjdk.jmh.runner.RunnerException;

/** CPU and allocation per increment of all implementations and loads. */
final class CpuTable {
  private static final int[] SERIES = {100_000, 1_000_000, 5_000_000};
  private static final int[] THREADS = {1, 2};
  private static final int CONTENDED_SERIES = 1000;
  private static final int CONTENDED_THREADS = 4;

  private static final String HEAD =
      """
| Series | Points | Threads | Callers, ns: tracking | counting | Caffeine | published | Less | Process, ns: tracking | counting | Caffeine | published | Less | Bytes allocated: tracking | counting | Caffeine | published |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
""";

  private final CpuRuns runs;
  private final StringBuilder table = new StringBuilder(HEAD);
  private double callersLess = Double.MAX_VALUE;
  private double processLess = Double.MAX_VALUE;
  private double allocated;

  private CpuTable(CpuRuns runs) {
    this.runs = runs;
  }

  /** Measures all loads with limits and returns the table. */
  static String run(CpuRuns runs, double scale, Aims aims) throws RunnerException {
    CpuTable table = new CpuTable(runs);
    for (int series : SERIES) {
      for (Access access : Access.values()) {
        for (int threads : THREADS) {
          table.add(new CpuCase((int) (series * scale), access, threads));
        }
      }
    }
    aims.atLeast("CPU of the callers, times less", "x", 3.5, table.callersLess);
    aims.atLeast("CPU of the whole process, times less", "x", 7, table.processLess);
    aims.atMost("allocated per increment", " bytes", 64, table.allocated);
    return table.table.toString();
  }

  /** Measures more threads than cores on few series and returns the table. */
  static String contention(CpuRuns runs) throws RunnerException {
    CpuTable table = new CpuTable(runs);
    table.add(new CpuCase(CONTENDED_SERIES, Access.UNIFORM, CONTENDED_THREADS));
    return table.table.toString();
  }

  private void add(CpuCase load) throws RunnerException {
    CpuCost track = runs.cost(WayKind.TRACK, load);
    CpuCost count = runs.cost(WayKind.COUNT, load);
    CpuCost caffeine = runs.cost(WayKind.CAFFEINE, load);
    CpuCost published = runs.cost(WayKind.PUBLISHED, load);
    double callers = published.callers() / Math.max(track.callers(), count.callers());
    double process = published.process() / Math.max(track.process(), count.process());
    callersLess = Math.min(callersLess, callers);
    processLess = Math.min(processLess, process);
    allocated = Math.max(allocated, Math.max(track.allocated(), count.allocated()));
    table.append(
        String.format(
            Locale.ROOT,
            "| %,d | %s | %d | %.0f | %.0f | %.0f | %.0f | %.1fx"
                + " | %.0f | %.0f | %.0f | %.0f | %.1fx | %.0f | %.0f | %.0f | %.0f |%n",
            load.series(),
            load.access().name().toLowerCase(Locale.ROOT),
            load.threads(),
            track.callers(),
            count.callers(),
            caffeine.callers(),
            published.callers(),
            callers,
            track.process(),
            count.process(),
            caffeine.process(),
            published.process(),
            process,
            track.allocated(),
            count.allocated(),
            caffeine.allocated(),
            published.allocated()));
  }
}
