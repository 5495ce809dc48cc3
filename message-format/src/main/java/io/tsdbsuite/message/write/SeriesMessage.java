package io.tsdbsuite.message.write;

/**
 * Writes a message of the format {@code rollup} with one or more rollups of one series: {@link
 * #begin}, {@link #add} for each rollup, {@link #toByteArray}. One rollup is an object, several are
 * an array of the same objects. Reusable; not thread-safe.
 */
public final class SeriesMessage {
  private final JsonText text = new JsonText();
  private final RollupText rollup;
  private byte[] series = {};
  private int rollups;

  /**
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  public SeriesMessage(long asOf) {
    this.rollup = new RollupText(true, asOf);
  }

  /** Begins a message without rollups. */
  public void begin(SeriesText of) {
    text.clear();
    series = of.json();
    rollups = 0;
  }

  /**
   * Adds a rollup, or the deletion of one.
   *
   * @param timestamp start of the interval, seconds since the epoch, UTC
   * @param interval as rollup_config.json writes it
   * @param values without points for a deletion
   * @throws IllegalArgumentException when a value is not finite; the message is as before
   */
  public void add(long timestamp, String interval, RollupValues values) {
    if (!values.isFinite()) {
      throw new IllegalArgumentException("values must be finite, found " + values);
    }
    text.raw(rollups == 0 ? '[' : ',');
    rollup.begin(text, values);
    text.raw(series);
    rollup.end(text, timestamp, interval, values);
    rollups++;
  }

  /** Number of rollups. */
  public int rollups() {
    return rollups;
  }

  /** Bytes of the message, up to two more than {@link #toByteArray} has. */
  public int length() {
    return text.length() + 1;
  }

  /**
   * The message in UTF-8.
   *
   * @throws IllegalStateException when it has no rollups
   */
  public byte[] toByteArray() {
    if (rollups == 0) {
      throw new IllegalStateException("a message must have at least one rollup, found none");
    }
    if (rollups == 1) {
      return text.copy(1, text.length());
    }
    int end = text.length();
    byte[] message = text.copy(0, end + 1);
    message[end] = ']';
    return message;
  }
}
