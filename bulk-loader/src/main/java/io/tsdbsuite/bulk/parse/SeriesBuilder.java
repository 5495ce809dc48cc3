package io.tsdbsuite.bulk.parse;

/**
 * Builds a series of a format that quotes or escapes names.
 *
 * <pre>
 *   tags ... | metric ...        each in its half of one array
 * </pre>
 *
 * <p>A blank, a tab or {@code =} in a name makes the series unclean, or is written as {@link
 * Separators} have it if any name is good.
 */
final class SeriesBuilder {
  private final SeriesText series = new SeriesText();
  private int half;
  private int tags;
  private int metric;
  private boolean cleanTags;
  private final boolean anyName;

  /** The first byte of the metric that divides names, beyond the array if there is none. */
  private int dirtyMetric;

  /**
   * A builder.
   *
   * @param anyName whether names with a separator are good
   */
  SeriesBuilder(boolean anyName) {
    this.anyName = anyName;
  }

  /**
   * Begins a series.
   *
   * @param room bytes that neither its tags nor its metric will exceed
   */
  void start(int room, long line) {
    half = anyName ? Separators.LENGTH * room : room;
    int needed = 2 * half + Words.SLACK;
    if (series.bytes.length < needed) {
      series.bytes = new byte[Math.max(needed, 2 * series.bytes.length)];
    }
    series.line = line;
    tags = 0;
    metric = half;
    cleanTags = true;
    dirtyMetric = Integer.MAX_VALUE;
  }

  /** Adds a byte to the metric. */
  void metric(byte c) {
    if (divides(c)) {
      if (anyName) {
        Separators.put(c, series.bytes, metric);
        metric += Separators.LENGTH;
        return;
      }
      dirtyMetric = Math.min(dirtyMetric, metric);
    }
    series.bytes[metric++] = c;
  }

  /** Adds bytes to the metric. */
  void metric(byte[] b, int off, int len) {
    for (int i = 0; i < len; i++) {
      metric(b[off + i]);
    }
  }

  /**
   * Adds the inside of a string of plain bytes to the metric.
   *
   * @param end goes on for {@link Words#SLACK} bytes, as the room for the series
   * @return the index of its closing quote, -1 if a byte before it is not plain
   */
  int quotedMetric(byte[] b, int off, int end) {
    int quote = copy(b, off, end, metric);
    metric += quote - off;
    return quote;
  }

  /** Adds the inside of a string to a key or a value, as {@link #quotedMetric}. */
  int quotedTag(byte[] b, int off, int end) {
    int quote = copy(b, off, end, tags);
    tags += quote - off;
    return quote;
  }

  private int copy(byte[] b, int off, int end, int to) {
    int p = off;
    int plain = Long.BYTES;
    while (p < end && plain == Long.BYTES) {
      long word = Words.load(b, p);
      Words.store(series.bytes, to + p - off, word);
      plain = Words.plain(word);
      p += plain;
    }
    return p < end && b[p] == '"' ? p : -1;
  }

  /** Length of the metric so far. */
  int metricLength() {
    return metric - half;
  }

  /** Shortens the metric. */
  void cutMetric(int length) {
    metric = half + length;
    dirtyMetric = dirtyMetric < metric ? dirtyMetric : Integer.MAX_VALUE;
  }

  /** Begins the key of a tag. */
  void key() {
    if (tags > 0) {
      series.bytes[tags++] = ' ';
    }
  }

  /** Ends the key of a tag. */
  void value() {
    series.bytes[tags++] = '=';
  }

  /** Adds a byte to a key or a value. */
  void tag(byte c) {
    if (divides(c)) {
      if (anyName) {
        Separators.put(c, series.bytes, tags);
        tags += Separators.LENGTH;
        return;
      }
      cleanTags = false;
    }
    series.bytes[tags++] = c;
  }

  /** Length of all tags so far. */
  int tagsLength() {
    return tags;
  }

  /** Removes the last tags. */
  void cutTags(int length) {
    tags = length;
  }

  /** Whether no name has a separator: none has a blank, a tab or {@code =}. */
  boolean isClean() {
    return cleanTags && dirtyMetric == Integer.MAX_VALUE;
  }

  /** The rule that a name which is not clean breaks. */
  static String rule() {
    return "a name must not have a blank, a tab or = (--replace-chars replaces them)";
  }

  /** The series. */
  SeriesText series() {
    series.metricOff = half;
    series.metricLen = metric - half;
    series.tagsOff = 0;
    series.tagsLen = tags;
    return series;
  }

  private static boolean divides(byte c) {
    return c == ' ' || c == '\t' || c == '=';
  }
}
