package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.synthetic.text.FastGzip;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * {@link RequestRate} in the format of an export: gzipped text, one file per day, one line per
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
  private static final int LINE_LENGTH = 80;

  private HistoryFiles() {}

  /**
   * Writes them.
   *
   * @param rate the points
   * @param directory is made; the files are named by metric and day
   * @param from first second, midnight, UTC, since the epoch
   * @param to last hour, exclusive
   * @return number of points
   * @throws IOException when the disk fails
   */
  public static long write(RequestRate rate, Path directory, long from, long to)
      throws IOException {
    Files.createDirectories(directory);
    try {
      return LongStream.range(0, (to - from + DAY - 1) / DAY)
          .map(day -> from + day * DAY)
          .parallel()
          .map(day -> writeDay(rate, directory, day, Math.min(day + DAY, to)))
          .sum();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static long writeDay(RequestRate rate, Path directory, long from, long to) {
    LocalDate day = LocalDate.ofEpochDay(from / DAY);
    Path file = directory.resolve(RequestRate.METRIC + "-" + day + ".gz");
    String[] tags = new String[rate.series()];
    for (int server = 0; server < tags.length; server++) {
      tags[server] = tags(rate.tags(server));
    }
    try (OutputStream out = new FastGzip(Files.newOutputStream(file))) {
      StringBuilder lines = new StringBuilder(LINE_LENGTH * RequestRate.POINTS_PER_HOUR);
      for (long hour : RequestRate.hours(from, to)) {
        for (int server = 0; server < tags.length; server++) {
          lines.setLength(0);
          long time = hour;
          for (Number value : rate.hour(server, hour)) {
            lines.append(RequestRate.METRIC).append(' ').append(time).append(' ').append(value);
            lines.append(tags[server]).append('\n');
            time += RequestRate.STEP_SECONDS;
          }
          out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
    return (to - from) / HOUR * tags.length * RequestRate.POINTS_PER_HOUR;
  }

  /** The tags at the end of a line, each after a space. */
  private static String tags(Map<String, String> tags) {
    StringBuilder text = new StringBuilder();
    tags.forEach((key, value) -> text.append(' ').append(key).append('=').append(value));
    return text.toString();
  }
}
