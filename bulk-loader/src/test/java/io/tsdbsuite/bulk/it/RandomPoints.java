package io.tsdbsuite.bulk.it;

import io.tsdbsuite.testkit.DataPoint;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Points of every kind, shuffled: integers of all widths, floats, doubles, seconds and
 * milliseconds; and some lines twice.
 */
final class RandomPoints {
  static final long START = 1_600_000_000 / 3600 * 3600;
  static final int HOURS = 60;

  /** {@link Answers#end} is two seconds before the end of the last hour. */
  private static final int MILLIS_OF_HOUR = 3_598_000;

  private static final int SERIES = 50;

  private final Random random;
  private final String prefix;
  private final List<DataPoint> points = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private int duplicates;

  RandomPoints(String prefix, int count, long seed) {
    this(prefix, count, seed, 7);
  }

  /**
   * @param secondsOfTen how many of ten points are in whole seconds
   */
  RandomPoints(String prefix, int count, long seed, int secondsOfTen) {
    System.out.println("seed " + seed);
    this.prefix = prefix;
    this.random = new Random(seed);
    Set<String> instants = new HashSet<>();
    while (points.size() < count) {
      int series = random.nextInt(SERIES);
      // Some hours are dense, some have one point.
      int hour = (int) (HOURS * Math.pow(random.nextDouble(), 3));
      long millis = (START + 3600L * hour) * 1000 + random.nextInt(MILLIS_OF_HOUR);
      boolean seconds = random.nextInt(10) < secondsOfTen;
      long instant = seconds ? millis / 1000 * 1000 : millis;
      if (!instants.add(series + "@" + instant)) {
        continue;
      }
      DataPoint point =
          new DataPoint(
              metric(series % 3), seconds ? instant / 1000 : instant, value(), tags(series));
      points.add(point);
      lines.add(line(point));
      if (random.nextInt(50) == 0) {
        lines.add(line(point));
        duplicates++;
      }
    }
    Collections.shuffle(lines, random);
  }

  private String metric(int i) {
    return prefix + ".m" + i;
  }

  private static Map<String, String> tags(int series) {
    Map<String, String> tags = new TreeMap<>();
    tags.put("host", "h" + series);
    if (series % 2 == 0) {
      tags.put("dc", "d" + series % 5);
    }
    return tags;
  }

  private Object value() {
    return switch (random.nextInt(8)) {
      case 0 -> (long) random.nextInt(256) - 128;
      case 1 -> (long) (short) random.nextInt();
      case 2 -> (long) random.nextInt();
      case 3 -> random.nextLong();
      case 4 -> (double) random.nextFloat();
      case 5 -> random.nextGaussian() * 1e6;
      case 6 -> Math.round(random.nextDouble() * 1e4) / 100.0;
      default -> finite();
    };
  }

  private Object finite() {
    double value = Double.longBitsToDouble(random.nextLong());
    // Sums of the largest are infinite, which ends a query.
    return Double.isFinite(value) && Math.abs(value) < 1e300 ? value : -0.0;
  }

  private static String line(DataPoint point) {
    StringBuilder line = new StringBuilder();
    line.append(point.metric()).append(' ').append(point.timestamp()).append(' ');
    line.append(point.value());
    point.tags().forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
    return line.toString();
  }

  List<String> metrics() {
    return List.of(metric(0), metric(1), metric(2));
  }

  List<DataPoint> points() {
    return points;
  }

  int lines() {
    return lines.size();
  }

  int duplicates() {
    return duplicates;
  }

  /** Divides the lines between files. */
  List<String> write(Path dir, int files) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      Path file = dir.resolve("part-" + i + ".txt");
      try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
        for (int line = i; line < lines.size(); line += files) {
          writer.write(lines.get(line));
          writer.write('\n');
        }
      }
      names.add(file.toString());
    }
    return names;
  }
}
