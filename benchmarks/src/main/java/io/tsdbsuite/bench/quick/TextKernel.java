package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.measure.PairedRuns;
import io.tsdbsuite.bulk.parse.Format;
import io.tsdbsuite.bulk.parse.ParseOptions;
import io.tsdbsuite.bulk.parse.PointHandler;
import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.bulk.parse.SeriesText;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/** Lines of {@code tsdb import}: the suite's reader, and strings split into words as in a TSD. */
final class TextKernel {
  private static final int LINES = 200_000;
  private static final int SERIES = 1000;
  private static final int TAGS = 2;
  private static final long TIME = 1_700_000_000L;
  private static final Pattern BLANK = Pattern.compile(" ");

  private final byte[] text;

  private TextKernel() {
    Random random = new Random(1);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      lines
          .append("sys.cpu.user ")
          .append(TIME + i / SERIES * 10L)
          .append(' ')
          .append(random.nextInt(10_000) / 100.0)
          .append(" cpu=all host=web")
          .append(i % SERIES)
          .append(".example.com\n");
    }
    text = lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Takes no arguments. */
  public static void main(String[] args) throws Exception {
    TextKernel kernel = new TextKernel();
    PairedRuns.ofThread().print(kernel::first, kernel::suite);
    System.exit(0);
  }

  private double first() throws IOException {
    double sum = 0;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = BLANK.split(line, -1);
        Map<String, String> tags = new HashMap<>();
        for (int i = 3; i < words.length; i++) {
          int equals = words[i].indexOf('=');
          tags.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }
        sum +=
            words[0].length()
                + tags.size()
                + Long.parseLong(words[1])
                + Double.parseDouble(words[2]);
      }
    }
    return sum;
  }

  private double suite() throws IOException {
    Sum sum = new Sum();
    Format.OPENTSDB
        .reader(ParseOptions.DEFAULT)
        .read(new ByteArrayInputStream(text), Position.START, Long.MAX_VALUE, sum);
    return sum.sum;
  }

  private static final class Sum implements PointHandler {
    private double sum;

    @Override
    public void integer(SeriesText series, long timestamp, long value) {
      floating(series, timestamp, (double) value);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) {
      sum += series.metricLen + TAGS + timestamp + value;
    }

    @Override
    public void rejected(
        RejectReason reason, long line, String detail, byte[] bytes, int off, int len) {
      throw new IllegalStateException("line " + line + " was rejected: " + detail);
    }

    @Override
    public void skippedPoint(SkipKind kind) {
      throw new IllegalStateException("no point must be skipped, found " + kind);
    }

    @Override
    public void withoutPoint() {}

    @Override
    public void skipped(Count reason) {
      throw new IllegalStateException("no line must be skipped, found " + reason);
    }

    @Override
    public boolean at(Position position) {
      return true;
    }
  }
}
