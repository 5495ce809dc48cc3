package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.SpilledRows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures text to encoded rows in one thread, with UIDs from a counter instead of HBase. */
final class TextKernel {
  /** Memory of each of two reader threads with bin/bulk-loader's --memory 2g. */
  private static final long MEMORY = 400L << 20;

  private static final byte[] EDGE = {};

  private final Path text;
  private final long lines;
  private final Path dir;
  private final List<Double> read = new ArrayList<>();
  private final List<Double> encode = new ArrayList<>();
  private final List<Double> wall = new ArrayList<>();

  private TextKernel(Path text, long lines, Path dir) {
    this.text = text;
    this.lines = lines;
    this.dir = dir;
  }

  static void run(Path text, long lines, int rounds, Path dir) throws IOException {
    TextKernel kernel = new TextKernel(text, lines, dir);
    kernel.round();
    kernel.forget();
    for (int i = 0; i < rounds; i++) {
      kernel.round();
    }
    System.out.println(KernelRun.line("read", Median.of(kernel.read)));
    System.out.println(KernelRun.line("encode", Median.of(kernel.encode)));
    System.out.println(KernelRun.line("wall", Median.of(kernel.wall)));
  }

  private void forget() {
    read.clear();
    encode.clear();
    wall.clear();
  }

  private void round() throws IOException {
    long begin = System.nanoTime();
    long cpu = Threads.cpuNanos();
    GroupedRuns runs = read();
    long between = Threads.cpuNanos();
    long points = encode(runs.runs());
    long end = Threads.cpuNanos();
    wall.add((System.nanoTime() - begin) / 1e9);
    read.add((between - cpu) / 1e9);
    encode.add((end - between) / 1e9);
    if (points != lines) {
      throw new IllegalStateException(text + " must give " + lines + " points, found " + points);
    }
    runs.delete();
  }

  private GroupedRuns read() throws IOException {
    GroupedRuns runs = new GroupedRuns(text.toString(), MEMORY, dir);
    try (InputStream in = Files.newInputStream(text)) {
      Format.OPENTSDB
          .reader(ParseOptions.DEFAULT)
          .read(in, Position.START, Long.MAX_VALUE, runs.grouper());
    }
    runs.grouper().end();
    return runs;
  }

  private static long encode(List<RunFile> runs) throws IOException {
    long points = 0;
    try (RowSource source =
        new SpilledRows(runs, OnConflict.FAIL, Keys.ROW_KEY, RowBuilder.DEFAULT_LIMIT)
            .open(EDGE, EDGE)) {
      for (EncodedRow row = source.next(); row != null; row = source.next()) {
        points += row.points();
      }
    }
    return points;
  }
}
