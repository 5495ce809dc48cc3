package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bulk.group.Grouper;
import io.tsdbsuite.bulk.group.Grouping;
import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.NamesParser;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.ParsedNames;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowBuilder;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.series.NewSeries;
import io.tsdbsuite.bulk.spill.RunFile;
import io.tsdbsuite.bulk.spill.RunSpills;
import io.tsdbsuite.bulk.spill.SpilledRows;
import io.tsdbsuite.format.schema.TsdConfig;
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
  private final NamesParser names = NamesParser.of(TsdConfig.parse(""));
  private final List<Double> read = new ArrayList<>();
  private final List<Double> encode = new ArrayList<>();
  private final List<Double> wall = new ArrayList<>();
  private int known;

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
    known = 0;
    List<RunFile> runs = new ArrayList<>();
    long begin = System.nanoTime();
    long cpu = Threads.cpuNanos();
    read(runs);
    long between = Threads.cpuNanos();
    long points = encode(runs);
    long end = Threads.cpuNanos();
    wall.add((System.nanoTime() - begin) / 1e9);
    read.add((between - cpu) / 1e9);
    encode.add((end - between) / 1e9);
    if (points != lines) {
      throw new IllegalStateException(text + " must give " + lines + " points, found " + points);
    }
    for (RunFile run : runs) {
      Files.delete(run.path());
    }
  }

  private void read(List<RunFile> runs) throws IOException {
    Grouper grouper =
        new Grouper(
            new Grouping(
                MEMORY,
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
                (points, bytes) -> true));
    grouper.begin(ReadCheckpoint.start(0));
    grouper.part(0, text.toString(), Position.START);
    try (InputStream in = Files.newInputStream(text)) {
      Format.OPENTSDB
          .reader(ParseOptions.DEFAULT)
          .read(in, Position.START, Long.MAX_VALUE, grouper);
    }
    grouper.end();
  }

  private NewSeries check(SeriesText series) {
    ParsedNames parsed = names.parse(series);
    if (parsed instanceof ParsedNames.Accepted accepted) {
      return new NewSeries(accepted.metric(), accepted.tags());
    }
    throw new IllegalStateException("a name is illegal: " + parsed);
  }

  private void resolve(List<NewSeries> series) {
    for (NewSeries one : series) {
      one.resolved(Keys.template(known++));
    }
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
