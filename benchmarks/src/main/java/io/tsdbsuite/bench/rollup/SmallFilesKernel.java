package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.hbase.Codecs;
import java.nio.file.Path;
import java.util.List;

/** Plans and rolls up a table of many regions with several small HFiles each, in one thread. */
public final class SmallFilesKernel {
  private static final int WARM_ROUNDS = 3;

  private SmallFilesKernel() {}

  /** The cost of a plan, and of its execution. */
  private record Round(Cost plan, Cost run) {}

  /** Arguments: directory, regions, HFiles per region, rounds. */
  public static void main(String[] args) throws Exception {
    Codecs.install();
    int regions = Integer.parseInt(args[1]);
    int files = Integer.parseInt(args[2]);
    Tables tables = new Tables(Path.of(args[0]).resolve("root"));
    tables.smallFiles(Tables.DATA, regions, files);
    long to = DataRows.end(DataRows.smallFileHours(files));
    long points = DataRows.smallFilePoints(regions, files);
    Way.Work<Round> work =
        () -> {
          Cost begin = Cost.now();
          SuiteWay suite = new SuiteWay(tables, DataRows.START, to);
          Cost planned = Cost.now();
          Totals found = suite.run();
          Cost end = Cost.now();
          if (found.points() != points) {
            throw new IllegalStateException("points must be " + points + ", found " + found);
          }
          return new Round(planned.since(begin, 1), end.since(planned, 1));
        };
    Samples<Round> rounds =
        Samples.of(WARM_ROUNDS, Integer.parseInt(args[3]), List.of(new Way<>("suite", work)))
            .get(0);
    double millis = 1e6 * regions * files;
    Cost.print("plan.cpu", rounds.median(round -> round.plan().processNanos()) / millis);
    Cost.print("plan.wall", rounds.median(round -> round.plan().wallNanos()) / millis);
    Cost.print("run.cpu", rounds.median(round -> round.run().processNanos()) / millis);
    Cost.print("run.wall", rounds.median(round -> round.run().wallNanos()) / millis);
    System.exit(0);
  }
}
