package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Keyed;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects the format of a file by its first bytes: the one format that finds points there, or, of
 * several, the one that finds no malformed line. If there are no points, the end of the file's name
 * decides; it must not contradict the points.
 */
public final class FormatDetector {
  /** Number of bytes for the detection. */
  public static final int HEAD = 1 << 16;

  private final ParseOptions options;

  /**
   * A detector.
   *
   * @param options of the readers
   */
  public FormatDetector(ParseOptions options) {
    // A file of strings, or of fine times, is of its format, too.
    this.options =
        options.with(TimeRounding.MS).withSkip(EnumSet.allOf(SkipKind.class)).withAnyName(true);
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
    if (named == Format.JSON && found.equals(List.of(Format.VICTORIAMETRICS))) {
      return Format.VICTORIAMETRICS;
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
        + "; name one with --format: "
        + Keyed.keys(Format.class)
        + "; or leave the file out with --exclude";
  }

  /** Whether the text has only blank lines and comments, as any format may. */
  public static boolean isEmpty(byte[] head) {
    return firstOfText(head) == head.length;
  }

  private List<Format> byContent(byte[] head) {
    int first = firstOfText(head);
    if (first < head.length && (head[first] == '{' || head[first] == '[')) {
      // Prometheus' labels may come first, too.
      if (probe(Format.PROMETHEUS, head) == null && probe(Format.OPENMETRICS, head) == null) {
        return List.of(isSeries(head, first) ? Format.VICTORIAMETRICS : Format.JSON);
      }
    }
    List<Format> found = new ArrayList<>();
    List<Format> whole = new ArrayList<>();
    for (Format format : Format.values()) {
      Probe probe = format.ofLines() ? probe(format, head) : null;
      if (probe != null) {
        found.add(format);
        if (!probe.malformed) {
          whole.add(format);
        }
      }
    }
    return whole.size() == 1 ? whole : found;
  }

  /**
   * Whether an object is a series of VictoriaMetrics: its first member is an object, the labels.
   */
  private static boolean isSeries(byte[] head, int off) {
    int p = off;
    for (char expected : "{\"metric\":{".toCharArray()) {
      while (p < head.length && isBlank(head[p])) {
        p++;
      }
      if (p == head.length || head[p] != expected) {
        return false;
      }
      p++;
    }
    return true;
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

  /** Reads the text; null if the format finds no point, or a time that may be a value. */
  private @Nullable Probe probe(Format format, byte[] head) {
    byte[] lines = wholeLines(head);
    Probe probe = new Probe(format);
    try {
      format
          .reader(options)
          .read(new ByteArrayInputStream(lines), Position.START, Long.MAX_VALUE, probe);
    } catch (IOException e) {
      return null;
    }
    return probe.found && !probe.exchanged ? probe : null;
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
    private static final byte[] PUT = "put ".getBytes(StandardCharsets.US_ASCII);

    private final boolean needsTags;
    private boolean found;
    private boolean malformed;
    private boolean exchanged;

    Probe(Format format) {
      needsTags = format == Format.OPENTSDB;
    }

    @Override
    public void integer(SeriesText series, long timestamp, long value) {
      found |= !needsTags || isImportLine(series);
    }

    @Override
    public void floating(SeriesText series, long timestamp, double value) {
      found |= !needsTags || isImportLine(series);
    }

    /** Whether a line has a tag, or begins with {@code put}. */
    private static boolean isImportLine(SeriesText series) {
      int p = series.metricOff;
      if (p >= PUT.length && Arrays.equals(series.bytes, p - PUT.length, p, PUT, 0, PUT.length)) {
        return true;
      }
      for (int i = 0; i < series.tagsLen; i++) {
        if (series.bytes[series.tagsOff + i] == '=') {
          return true;
        }
      }
      return false;
    }

    @Override
    public void skippedPoint(SkipKind kind) {
      found |= !needsTags;
    }

    @Override
    public void rejected(
        RejectReason reason, long line, String detail, byte[] text, int off, int len) {
      malformed |= reason == RejectReason.MALFORMED_LINE;
      exchanged |=
          reason == RejectReason.BAD_TIMESTAMP && detail.startsWith(Timestamps.EXCHANGED_RULE);
    }
  }
}
