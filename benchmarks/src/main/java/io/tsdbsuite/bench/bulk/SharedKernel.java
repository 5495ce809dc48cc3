package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bulk.input.Formats;
import io.tsdbsuite.bulk.input.InputFile;
import io.tsdbsuite.bulk.input.InputFiles;
import io.tsdbsuite.bulk.input.InputPart;
import io.tsdbsuite.bulk.input.InputUnits;
import io.tsdbsuite.bulk.input.PartReader;
import io.tsdbsuite.bulk.parallel.IdleThreads;
import io.tsdbsuite.bulk.parse.InfluxChoice;
import io.tsdbsuite.bulk.parse.InfluxContexts;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.Position;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Measures the reading of one file into runs: as one thread has always done it, and by one to
 * several threads together, in turns. UIDs come from a counter instead of HBase.
 */
final class SharedKernel {
  /** The way without help. */
  private static final int ALONE = 0;

  /** Memory of the reader with bin/bulk-loader's --memory 2g. */
  private static final long MEMORY = 800L << 20;

  private final InputPart part;
  private final Formats formats;
  private final long points;
  private final Path dir;

  private SharedKernel(Path file, long points, Path dir) {
    List<InputFile> files =
        InputFiles.find(List.of(file.toString()), new Configuration(), System.in);
    this.part = InputUnits.plan(files, any -> false, Long.MAX_VALUE).get(0).parts().get(0);
    this.formats =
        Formats.of(Formats.AUTO, ParseOptions.DEFAULT, new InfluxContexts(InfluxChoice.NONE));
    this.points = points;
    this.dir = dir;
  }

  /**
   * Runs it.
   *
   * @param most number of threads up to which it is measured
   */
  static void run(Path file, long points, int most, int rounds, Path dir)
      throws IOException, InterruptedException {
    SharedKernel kernel = new SharedKernel(file, points, dir);
    TreeMap<Integer, List<Double>> wall = new TreeMap<>();
    TreeMap<Integer, List<Double>> cpu = new TreeMap<>();
    TreeMap<Integer, List<Double>> reader = new TreeMap<>();
    List<Double> text = new ArrayList<>();
    for (int round = -2; round < rounds; round++) {
      for (int threads = ALONE; threads <= most; threads++) {
        long before = cpuNanos();
        long own = Threads.cpuNanos();
        long begin = System.nanoTime();
        kernel.read(threads);
        if (round >= 0) {
          wall.computeIfAbsent(threads, any -> new ArrayList<>())
              .add((System.nanoTime() - begin) / 1e9);
          reader
              .computeIfAbsent(threads, any -> new ArrayList<>())
              .add((Threads.cpuNanos() - own) / 1e9);
          cpu.computeIfAbsent(threads, any -> new ArrayList<>()).add((cpuNanos() - before) / 1e9);
        }
      }
      long before = Threads.cpuNanos();
      kernel.decompress();
      if (round >= 0) {
        text.add((Threads.cpuNanos() - before) / 1e9);
      }
    }
    System.out.println(KernelRun.line("decompress", Median.of(text)));
    wall.forEach((threads, all) -> found("wall", threads, all));
    cpu.forEach((threads, all) -> found("cpu", threads, all));
    reader.forEach((threads, all) -> found("reader", threads, all));
  }

  private static void found(String what, int threads, List<Double> all) {
    System.out.println(KernelRun.line(what + threads, Median.of(all)));
  }

  private static long cpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  /** Decompresses the file, and drops the text. */
  private void decompress() throws IOException {
    byte[] buffer = new byte[1 << 18];
    try (InputStream in = part.file().open(0)) {
      while (in.read(buffer) >= 0) {
        // All of it.
      }
    }
  }

  /** Reads the file by so many threads, or by one that is not helped. */
  private void read(int threads) throws IOException, InterruptedException {
    IdleThreads idle = new IdleThreads(Math.max(1, threads));
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
    GroupedRuns runs = new GroupedRuns(part.name(), MEMORY, dir);
    try {
      new PartReader(formats, stored -> {}, threads == ALONE ? null : idle)
          .read(part, Position.START, runs.grouper());
      runs.grouper().end();
    } finally {
      idle.leave();
    }
    for (Thread helper : helpers) {
      helper.join();
    }
    if (runs.points() != points) {
      throw new IllegalStateException(
          part.name() + " must give " + points + " points, found " + runs.points());
    }
    runs.delete();
  }
}
