package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.synthetic.text.DecimalWriter;
import io.tsdbsuite.synthetic.text.FastGzip;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.LongStream;

/**
 * {@link HourlyPoints} in the format of an export: gzipped text, one file per day, one line per
 * point, as {@code tsdb import} reads and {@code tsdb scan --import} writes them, ordered by hour
 * and series.
 *
 * <pre>
 *   edge.requests 1763510400 417 dc=Zürich host=edge001
 * </pre>
 */
public final class HistoryFiles {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;

  /** More than the longest line has, bytes. */
  private static final int LINE = 256;

  private static final int BINARY = 1024;
  private static final int HUNDRED = 100;

  private HistoryFiles() {}

  /**
   * Writes them.
   *
   * @param points of a metric
   * @param directory is made; the files are named by metric and day
   * @param from first second, midnight, UTC, since the epoch
   * @param to last hour, exclusive
   * @return number of points
   * @throws IOException when the disk fails
   */
  public static long write(HourlyPoints points, Path directory, long from, long to)
      throws IOException {
    Files.createDirectories(directory);
    try {
      return LongStream.range(0, (to - from + DAY - 1) / DAY)
          .map(day -> from + day * DAY)
          .parallel()
          .map(day -> writeDay(points, directory, day, Math.min(day + DAY, to)))
          .sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static long writeDay(HourlyPoints points, Path directory, long from, long to) {
    byte[] metric = (points.metric() + ' ').getBytes(StandardCharsets.US_ASCII);
    Path file = directory.resolve(points.metric() + "-" + LocalDate.ofEpochDay(from / DAY) + ".gz");
    byte[][] tags = new byte[points.series()][];
    for (int server = 0; server < tags.length; server++) {
      StringBuilder text = new StringBuilder();
      points
          .tags(server)
          .forEach((key, tag) -> text.append(' ').append(key).append('=').append(tag));
      tags[server] = text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }
    byte[] lines = new byte[LINE * RequestRate.POINTS_PER_HOUR];
    try (OutputStream out = new FastGzip(Files.newOutputStream(file))) {
      for (long hour : RequestRate.hours(from, to)) {
        for (int server = 0; server < tags.length; server++) {
          out.write(lines, 0, lines(metric, points.hour(server, hour), hour, tags[server], lines));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
    return (to - from) / HOUR * tags.length * RequestRate.POINTS_PER_HOUR;
  }

  /** Writes the lines of an hour; returns their length. */
  private static int lines(byte[] metric, List<Number> points, long hour, byte[] tags, byte[] out) {
    int at = 0;
    long time = hour;
    for (Number point : points) {
      System.arraycopy(metric, 0, out, at, metric.length);
      at = DecimalWriter.integer(time, out, at + metric.length);
      out[at++] = ' ';
      at = value(point, out, at);
      System.arraycopy(tags, 0, out, at, tags.length);
      at += tags.length;
      time += RequestRate.STEP_SECONDS;
    }
    return at;
  }

  /** Writes an integer, a number of 64ths, or of hundredths, as {@link HourlyPoints} has them. */
  private static int value(Number value, byte[] out, int at) {
    if (value instanceof Long integer) {
      return DecimalWriter.integer(integer, out, at);
    }
    double binary = value.doubleValue() * BINARY;
    return binary == Math.rint(binary)
        ? DecimalWriter.binary((long) binary, out, at)
        : DecimalWriter.hundredths(Math.round(value.doubleValue() * HUNDRED), out, at);
  }
}
