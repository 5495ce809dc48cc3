package io.tsdbsuite.bulk.parse;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects the format of a file by its first bytes: the one format that finds points there. If there
 * are no points, the end of the file's name decides; it must not contradict the points.
 */
public final class FormatDetector {
  /** Number of bytes for the detection. */
  public static final int HEAD = 1 << 16;

  private final InfluxOptions influx;

  /**
   * A detector.
   *
   * @param influx options of InfluxDB line protocol
   */
  public FormatDetector(InfluxOptions influx) {
    this.influx = influx;
  }

  /**
   * The format.
   *
   * @param fileName name of the file, with or without its directory
   * @param head its first bytes, decompressed
   * @return null if it is unclear; {@link #unclear} returns the reason
   */
  public @Nullable Format detect(String fileName, byte[] head) {
    List<Format> found = byContent(head);
    Format named = Format.ofSuffix(fileName);
    if (found.isEmpty()) {
      return named;
    }
    boolean contradicts = named != null && !found.contains(named);
    if (found.size() > 1 && !contradicts) {
      return named;
    }
    return contradicts ? null : found.get(0);
  }

  /** The message when no format was detected. */
  public String unclear(String fileName, byte[] head) {
    List<String> keys = new ArrayList<>();
    for (Format format : byContent(head)) {
      keys.add(format.key());
    }
    Format named = Format.ofSuffix(fileName);
    return fileName
        + ": the format must be clear from the first lines and the name, found "
        + (keys.isEmpty() ? "lines of no format" : "lines of " + String.join(" and of ", keys))
        + (named == null ? "" : " in a file named as " + named.key())
        + "; name one: "
        + Format.keys();
  }

  /** Whether the text has only blank lines and comments, as any format may. */
  public static boolean isEmpty(byte[] head) {
    return firstOfText(head) == head.length;
  }

  private List<Format> byContent(byte[] head) {
    List<Format> found = new ArrayList<>();
    int first = firstOfText(head);
    if (first < head.length && (head[first] == '{' || head[first] == '[')) {
      // Prometheus' labels may come first, too.
      if (!finds(Format.PROMETHEUS, head) && !finds(Format.OPENMETRICS, head)) {
        return List.of(Format.JSON);
      }
    }
    for (Format format : Format.values()) {
      if (format.ofLines() && finds(format, head)) {
        found.add(format);
      }
    }
    return found;
  }

  /** Behind blank lines and comments. */
  private static int firstOfText(byte[] head) {
    int first = 0;
    boolean comment = false;
    while (first < head.length && (comment || head[first] == '#' || isBlank(head[first]))) {
      comment = head[first] != '\n' && (comment || head[first] == '#');
      first++;
    }
    return first;
  }

  private static boolean isBlank(byte c) {
    return c <= ' ' && c >= 0;
  }

  private boolean finds(Format format, byte[] head) {
    byte[] lines = wholeLines(head);
    Probe probe = new Probe(format == Format.OPENTSDB);
    try {
      format
          .reader(influx)
          .read(new ByteArrayInputStream(lines), Position.START, Long.MAX_VALUE, probe);
    } catch (IOException e) {
      return false;
    }
    return probe.found;
  }

  /** Without the last line if that may be cut. */
  static byte[] wholeLines(byte[] head) {
    int end = head.length;
    if (end >= HEAD) {
      while (end > 0 && head[end - 1] != '\n') {
        end--;
      }
    }
    return end == 0 ? head : Arrays.copyOf(head, end);
  }

  /** Looks for a point. */
  private static final class Probe extends IgnoringHandler {
    private final boolean needsTags;
    private boolean found;

    Probe(boolean needsTags) {
      this.needsTags = needsTags;
    }

    @Override
    public void integer(SeriesText series, long timestamp, long value) {
      found |= !needsTags || isPair(series);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) {
      found |= !needsTags || isPair(series);
    }

    private static boolean isPair(SeriesText series) {
      for (int i = 0; i < series.tagsLen; i++) {
        if (series.bytes[series.tagsOff + i] == '=') {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean at(Position position) {
      return !found;
    }
  }
}
