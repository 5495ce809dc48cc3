package io.tsdbsuite.message.write;

/**
 * The names of one series as the bytes of its messages: encoded once, for all of its rollups.
 * Immutable.
 */
public final class SeriesText {
  private static final byte[] METRIC = JsonText.ascii("\"metric\":");
  private static final byte[] TAGS = JsonText.ascii(",\"tags\":{");

  private final byte[] key;
  private final int metricLength;
  private final byte[] json;

  private SeriesText(byte[] key, int metricLength, byte[] json) {
    this.key = key;
    this.metricLength = metricLength;
    this.json = json;
  }

  /** Encodes the names of a point whose tags are sorted. */
  public static SeriesText of(RollupPoint point) {
    SeriesKey key = new SeriesKey().of(point);
    JsonText text = new JsonText();
    write(point, text);
    return new SeriesText(key.toByteArray(), key.metricLength(), text.copy(0, text.length()));
  }

  /** Writes the fields metric and tags. */
  static void write(RollupPoint point, JsonText text) {
    text.raw(METRIC);
    text.name(point.metric());
    text.raw(TAGS);
    for (int i = 0, tags = point.tags(); i < tags; i++) {
      if (i > 0) {
        text.raw(',');
      }
      text.name(point.tagKey(i));
      text.raw(':');
      text.name(point.tagValue(i));
    }
    text.raw('}');
  }

  /** The key of the series' messages, as {@link SeriesKey} writes it. Must not be changed. */
  public byte[] key() {
    return key;
  }

  /** Bytes of the metric's name, with which the key begins. */
  public int metricLength() {
    return metricLength;
  }

  /** The fields metric and tags. */
  byte[] json() {
    return json;
  }

  /** Bytes of heap, about. */
  public int heapBytes() {
    return key.length + json.length + 80;
  }
}
