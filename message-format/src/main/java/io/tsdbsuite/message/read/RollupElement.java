package io.tsdbsuite.message.read;

import io.tsdbsuite.message.MessageTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code "type":"Rollup"}, version 1 or 2: all values of one interval of a series, its histogram,
 * or the deletion of the interval's rollup (version 1).
 */
public final class RollupElement extends SeriesElement {
  private final String interval;
  private final List<String> aggregators;
  private final List<String> values;
  private final @Nullable String codec;
  private final byte[] histogram;
  private final boolean hasAsOf;
  private final long asOf;

  RollupElement(ElementFields fields) throws BadMessageException {
    super(fields);
    this.interval = fields.interval();
    fields.checkRollup();
    this.aggregators = fields.aggregators;
    this.values = fields.values;
    this.codec = fields.version == MessageTypes.ROLLUP_VERSION_FURTHER ? fields.codec : null;
    this.histogram = fields.histogram;
    this.hasAsOf = fields.hasAsOf;
    this.asOf = fields.asOf;
  }

  /** Width of the interval, for example {@code 1h}. */
  public String interval() {
    return interval;
  }

  /**
   * Whether there are neither values nor a histogram: the interval has no raw points left, and
   * every cell is deleted.
   */
  public boolean isDeletion() {
    return values.isEmpty() && codec == null;
  }

  /** Class of the histogram's codec; null if there is no histogram. */
  public @Nullable String codec() {
    return codec;
  }

  /**
   * The bytes of the histogram without a codec id, at least one, not checked by the codec; valid if
   * there is a {@link #codec}.
   */
  public byte[] histogram() {
    return histogram;
  }

  /** Number of values; 0 for a deletion or a histogram alone, which delete the stored values. */
  public int size() {
    return values.size();
  }

  /** Aggregator of value i, in the message's order; each aggregator occurs once. */
  public String aggregator(int i) {
    return aggregators.get(i);
  }

  /** Text of value i in the message. */
  public String value(int i) {
    return values.get(i);
  }

  /** Whether the message has {@link #asOf}. */
  public boolean hasAsOf() {
    return hasAsOf;
  }

  /** When the raw points were read, milliseconds since the epoch; valid if {@link #hasAsOf}. */
  public long asOf() {
    return asOf;
  }

  /** The values, or their deletion, and the histogram. */
  @Override
  public int points() {
    return Math.max(1, values.size()) + (codec == null ? 0 : 1);
  }
}
