package io.tsdbsuite.bulk.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random points, written in each format, and as {@link Recorder} writes them down. */
public record PointText(
    String metric,
    List<String> tags,
    long timestamp,
    boolean isInteger,
    long integer,
    double floating) {
  public static PointText random(Random random) {
    List<String> tags = new ArrayList<>();
    int pairs = 1 + random.nextInt(4);
    for (int i = 0; i < pairs; i++) {
      tags.add("k" + i + name(random));
      tags.add(name(random));
    }
    long seconds = 100_000_000L + random.nextInt(1_900_000_000);
    long timestamp = random.nextBoolean() ? seconds : seconds * 1000 + 1 + random.nextInt(999);
    boolean isInteger = random.nextBoolean();
    long integer = random.nextLong() >> random.nextInt(64);
    return new PointText(name(random), tags, timestamp, isInteger, integer, number(random));
  }

  private static double number(Random random) {
    double any = Double.longBitsToDouble(random.nextLong());
    return random.nextBoolean() && Double.isFinite(any)
        ? any
        : Math.rint(random.nextGaussian() * 1e5) / 1e3;
  }

  private static String name(Random random) {
    String chars = "abcxyzABC0189._-/\u00e9\u20ac";
    StringBuilder name = new StringBuilder("n");
    for (int i = random.nextInt(12); i > 0; i--) {
      name.append(chars.charAt(random.nextInt(chars.length())));
    }
    return name.toString();
  }

  private String value() {
    return isInteger ? Long.toString(integer) : Double.toString(floating);
  }

  private long millis() {
    return timestamp < 1L << 32 ? timestamp * 1000 : timestamp;
  }

  /** What a reader of the format must say. */
  String event(Format format) {
    return (format == Format.PROMETHEUS || format == Format.OPENMETRICS ? plain(metric) : metric)
        + "{"
        + pairs(format, "=", " ", "")
        + "} "
        + timestamp
        + " "
        + value()
        + (isInteger ? "" : "f");
  }

  public String line(Format format, Random random) {
    return switch (format) {
      case OPENTSDB ->
          (random.nextBoolean() ? "put " : "")
              + String.join(random.nextBoolean() ? " " : "\t", metric, time(random), value())
              + " "
              + pairs(format, "=", " ", "");
      case JSON ->
          "{\"metric\":\""
              + metric
              + "\",\"timestamp\":"
              + timestamp
              + ",\"value\":"
              + (random.nextBoolean() ? value() : "\"" + value() + "\"")
              + ",\"tags\":{\""
              + pairs(format, "\":\"", "\",\"", "")
              + "\"}}";
      case INFLUX ->
          metric
              + ","
              + pairs(format, "=", ",", "")
              + " value="
              + value()
              + (isInteger ? "i " : " ")
              + millis()
              + "000000";
      case PROMETHEUS ->
          plain(metric) + "{" + pairs(format, "=\"", "\",", "\"") + "} " + value() + " " + millis();
      case OPENMETRICS ->
          plain(metric)
              + "{"
              + pairs(format, "=\"", "\",", "\"")
              + "} "
              + value()
              + " "
              + millis() / 1000
              + (millis() % 1000 == 0 ? "" : "." + millisOfSecond());
      case VICTORIAMETRICS ->
          "{\"metric\":{\"__name__\":\""
              + metric
              + "\",\""
              + pairs(format, "\":\"", "\",\"", "")
              + "\"},\"values\":["
              + value()
              + "],\"timestamps\":["
              + millis()
              + "]}";
      case GRAPHITE ->
          metric
              + ";"
              + pairs(format, "=", ";", "")
              + " "
              + value()
              + " "
              + millis() / 1000
              + (millis() % 1000 == 0 ? "" : "." + millisOfSecond());
    };
  }

  private String time(Random random) {
    return timestamp < 1L << 32 || random.nextBoolean()
        ? Long.toString(timestamp)
        : timestamp / 1000 + "." + millisOfSecond();
  }

  private String millisOfSecond() {
    return String.format("%03d", millis() % 1000);
  }

  private String pairs(Format format, String equals, String between, String end) {
    boolean plain = format == Format.PROMETHEUS || format == Format.OPENMETRICS;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < tags.size(); i += 2) {
      text.append(i == 0 ? "" : between)
          .append(plain ? plain(tags.get(i)) : tags.get(i))
          .append(equals)
          .append(tags.get(i + 1));
    }
    return text.append(end).toString();
  }

  private static String plain(String name) {
    return name.replaceAll("[^a-zA-Z0-9_]", "_");
  }
}
