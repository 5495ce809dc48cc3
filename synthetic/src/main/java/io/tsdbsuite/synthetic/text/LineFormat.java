package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Format of a point as a line.
 *
 * <pre>
 *   opentsdb     m 1600000000 5 sensor=s1 site=site1
 *   json         {"metric":"m","timestamp":1600000000,"value":5,"tags":{"sensor":"s1",...}}
 *   influx       m,sensor=s1,site=site1 value=5i 1600000000000000000
 *   prometheus   m{sensor="s1",site="site1"} 5 1600000000000
 * </pre>
 */
public enum LineFormat {
  /** The input of {@code tsdb import}; seconds or milliseconds. */
  OPENTSDB("opentsdb", "txt", false) {
    @Override
    String head(String metric, List<String> tags) {
      return metric + " ";
    }

    @Override
    String tail(List<String> tags) {
      return " " + pairs(tags, "=", "", " ") + "\n";
    }
  },
  /** Objects of {@code /api/put}, one a line; seconds or milliseconds. */
  JSON("json", "json", false) {
    @Override
    String head(String metric, List<String> tags) {
      return "{\"metric\":\"" + metric + "\",\"timestamp\":";
    }

    @Override
    String tail(List<String> tags) {
      return ",\"tags\":{\"" + pairs(tags, "\":\"", "\"", ",\"") + "}}\n";
    }
  },
  /** InfluxDB's line protocol, the field {@code value}; nanoseconds. */
  INFLUX("influx", "influx", true) {
    @Override
    String head(String metric, List<String> tags) {
      return metric + "," + pairs(tags, "=", "", ",") + " value=";
    }

    @Override
    String tail(List<String> tags) {
      return "\n";
    }
  },
  /** Prometheus text; milliseconds. Metrics with a {@code .} are written as they are. */
  PROMETHEUS("prometheus", "prom", true) {
    @Override
    String head(String metric, List<String> tags) {
      return metric + "{" + pairs(tags, "=\"", "\"", ",") + "} ";
    }

    @Override
    String tail(List<String> tags) {
      return "\n";
    }
  };

  private final String key;
  private final String suffix;
  private final boolean valueFirst;

  LineFormat(String key, String suffix, boolean valueFirst) {
    this.key = key;
    this.suffix = suffix;
    this.valueFirst = valueFirst;
  }

  /** Its name on the command line. */
  public String key() {
    return key;
  }

  /**
   * The format of this name.
   *
   * @throws UsageException with all names, when there is none
   */
  public static LineFormat of(String key) {
    for (LineFormat format : values()) {
      if (format.key.equals(key)) {
        return format;
      }
    }
    throw new UsageException(
        "format must be one of %s, found '%s'"
            .formatted(
                Arrays.stream(values()).map(LineFormat::key).collect(Collectors.joining(", ")),
                key));
  }

  /** Suffix of file names. */
  String suffix() {
    return suffix;
  }

  /** Whether the value stands before the time. */
  boolean valueFirst() {
    return valueFirst;
  }

  /** Beginning of a line. */
  abstract String head(String metric, List<String> tags);

  /** End of a line. */
  abstract String tail(List<String> tags);

  private static String pairs(List<String> tags, String between, String after, String next) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < tags.size(); i += 2) {
      text.append(i == 0 ? "" : next);
      text.append(tags.get(i)).append(between).append(tags.get(i + 1)).append(after);
    }
    return text.toString();
  }
}
