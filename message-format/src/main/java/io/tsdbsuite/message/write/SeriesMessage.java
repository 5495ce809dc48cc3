package io.tsdbsuite.message.write;

import org.jspecify.annotations.Nullable;

/**
 * Writes a message of the format {@code rollup} with one or more rollups of one series: {@link
 * #begin}, {@link #add} for each rollup, {@link #toByteArray}. One rollup is an object, several are
 * an array of the same objects, or objects of version 3. Reusable; not thread-safe.
 */
public final class SeriesMessage {
  private final JsonText text = new JsonText();
  private final RollupText rollup;
  private byte[] series = {};
  private int rollups;
  private int objects;

  /** Null without version 3. */
  private final @Nullable RollupColumns columns;

  /**
   * Writes version 1 and 2.
   *
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  public SeriesMessage(long asOf) {
    this(asOf, false);
  }

  /**
   * @param asOf when the raw data were read, milliseconds since the epoch
   * @param arrays whether rollups that are added one after another, of one interval and the same
   *     names and in the order of time, become one object of version 3, unless they have histograms
   */
  public SeriesMessage(long asOf, boolean arrays) {
    this.rollup = new RollupText(true, asOf);
    this.columns = arrays ? new RollupColumns() : null;
  }

  /** Begins a message without rollups. */
  public void begin(SeriesText of) {
    text.clear();
    series = of.json();
    rollups = 0;
    objects = 0;
    if (columns != null) {
      columns.clear();
    }
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
    rollups++;
    boolean hasHistogram = values.codec() != null;
    if (columns != null && (hasHistogram || !columns.takes(timestamp, interval, values))) {
      endObject(columns);
    }
    if (columns == null || hasHistogram) {
      // A histogram may be most of a message, so length() counts it at once.
      separate();
      rollup.write(text, series, timestamp, interval, values);
    } else {
      columns.add(timestamp, interval, values);
    }
  }

  private void separate() {
    text.raw(objects++ == 0 ? '[' : ',');
  }

  private void endObject(RollupColumns open) {
    if (!open.isEmpty()) {
      separate();
      open.write(text, rollup, series);
      open.clear();
    }
  }

  /** Number of rollups. */
  public int rollups() {
    return rollups;
  }

  /**
   * Bytes of the message, up to two more than {@link #toByteArray} has; of version 3 about, without
   * the names of the last object.
   */
  public int length() {
    return text.length() + 1 + (columns == null ? 0 : columns.length());
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
    if (columns != null) {
      endObject(columns);
    }
    if (objects == 1) {
      return text.copy(1, text.length());
    }
    int end = text.length();
    byte[] message = text.copy(0, end + 1);
    message[end] = ']';
    return message;
  }
}
