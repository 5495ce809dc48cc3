package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.input.FilePatterns;
import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnits;
import io.tsdbsuite.bulk.input.PartReader;
import io.tsdbsuite.bulk.names.NameRules;
import io.tsdbsuite.bulk.parallel.IdleThreads;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.format.schema.TsdConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * The loader's reading of one file into runs of rows by one and by several threads, in a JVM of its
 * own, without HBase: UIDs come from a counter. Prints medians of all rounds, seconds.
 */
public final class BulkKernel {
  /** Memory of the reader with bin/bulk-loader's --memory 2g. */
  private static final long MEMORY = 800L << 20;

  private static final int WARM_UPS = 2;
  private static final int ROUNDS = 5;

  /** Threads that read one file together. */
  private static final int THREADS = 2;

  private final NamesParser names = NamesParser.of(TsdConfig.parse(""), NameRules.NONE);
  private final List<RunFile> runs = new ArrayList<>();
  private final Grouper grouper;
  private int known;
  private long points;

  /** Begins a text: groups its points into runs in a directory. */
  private BulkKernel(String text, long memory, Path dir) throws IOException {
    grouper =
        new Grouper(
            new Grouping(
                memory,
                Long.MAX_VALUE,
                OnConflict.FAIL,
                Keys.ROW_KEY,
                this::check,
                this::resolve,
                (reason, form, file, line, detail, bytes, off, len) -> {
                  throw new IllegalStateException("line " + line + " was rejected: " + detail);
                },
                new RunSpills(
                    dir,
                    (run, upTo, tally) -> {
                      if (run != null) {
                        runs.add(run);
                      }
                    }),
                (more, bytes) -> {
                  points += more;
                  return true;
                }));
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, text, Position.START);
  }

  private NewSeries check(SeriesText series) {
    NewSeries checked = names.check(series);
    if (checked.refusal() != null) {
      throw new IllegalStateException("a name is illegal: " + checked.refusal());
    }
    return checked;
  }

  private void resolve(List<NewSeries> series) {
    for (NewSeries one : series) {
      one.resolved(Keys.template(known++));
    }
  }

  /** Arguments: a file, its points, a directory for the runs. */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    Map<Integer, List<Double>> seconds = new LinkedHashMap<>();
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      for (int threads = 1; threads <= THREADS; threads++) {
        double found = read(file, Long.parseLong(args[1]), Path.of(args[2]), threads);
        if (round >= 0) {
          seconds.computeIfAbsent(threads, any -> new ArrayList<>()).add(found);
        }
      }
    }
    seconds.forEach(
        (threads, all) -> System.out.println(KernelRun.line("wall" + threads, Median.of(all))));
    System.exit(0);
  }

  /** Reads the file by one thread, or by several that help each other; returns the seconds. */
  private static double read(Path file, long points, Path dir, int threads)
      throws IOException, InterruptedException {
    InputPart part =
        InputUnits.plan(
                InputFiles.find(
                        List.of(file.toString()),
                        Path.of(""),
                        FilePatterns.ALL,
                        new Configuration(),
                        System.in)
                    .files(),
                any -> false,
                Long.MAX_VALUE)
            .get(0)
            .parts()
            .get(0);
    Formats formats =
        Formats.of(Formats.AUTO, ParseOptions.DEFAULT, new InfluxContexts(InfluxChoice.NONE));
    long begin = System.nanoTime();
    IdleThreads idle = new IdleThreads(threads);
    List<Thread> helpers = new ArrayList<>();
    for (int i = 1; i < threads; i++) {
      Thread helper =
          new Thread(
              () -> {
                idle.leave();
                idle.help();
              });
      helper.start();
      helpers.add(helper);
    }
    BulkKernel kernel = new BulkKernel(part.name(), MEMORY, dir);
    try {
      new PartReader(formats, stored -> {}, idle).read(part, Position.START, kernel.grouper);
      kernel.grouper.end();
    } finally {
      idle.leave();
    }
    for (Thread helper : helpers) {
      helper.join();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (kernel.points != points) {
      throw new IllegalStateException(
          file + " must give " + points + " points, found " + kernel.points);
    }
    for (RunFile run : kernel.runs) {
      Files.delete(run.path());
    }
    return seconds;
  }
}
