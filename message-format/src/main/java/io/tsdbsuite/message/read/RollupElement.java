package io.tsdbsuite.message.read;

import io.tsdbsuite.message.MessageTypes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code "type":"Rollup"}, version 1 or 2, or one of the rollups of version 3: all values of one
 * interval of a series, its histogram, or the deletion of the interval's rollup (version 1 and 3).
 */
public final class RollupElement extends SeriesElement {
  private final String interval;
  private final List<String> aggregators;

  /** By aggregator, for each of them one of each rollup of the object that is no deletion. */
  private final List<String> values;

  /** Index of this rollup among those; 0 of version 1 and 2. */
  private final int slot;

  /** Their number; 1 of version 1 and 2. */
  private final int slots;

  private final boolean sharesTags;
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
    this.slot = 0;
    this.slots = 1;
    this.sharesTags = false;
    this.codec = fields.version == MessageTypes.ROLLUP_VERSION_FURTHER ? fields.codec : null;
    this.histogram = fields.histogram;
    this.hasAsOf = fields.hasAsOf;
    this.asOf = fields.asOf;
  }

  /**
   * One of the rollups of version 3.
   *
   * @param of the fields that all of them share
   * @param tags not copied
   * @param aggregators none of a deletion
   * @param values by aggregator, {@code slots} of each
   */
  RollupElement(
      RollupElement of,
      Map<String, String> tags,
      long timestamp,
      List<String> aggregators,
      List<String> values,
      int slot,
      int slots) {
    super(of, tags, timestamp);
    this.interval = of.interval;
    this.aggregators = aggregators;
    this.values = values;
    this.slot = slot;
    this.slots = slots;
    this.sharesTags = tags == of.tags();
    this.codec = of.codec;
    this.histogram = of.histogram;
    this.hasAsOf = of.hasAsOf;
    this.asOf = of.asOf;
  }

  /** The same rollup with tags that no other one shares. */
  public RollupElement withOwnTags() {
    return sharesTags
        ? new RollupElement(
            this, new HashMap<>(tags()), timestamp(), aggregators, values, slot, slots)
        : this;
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
    return aggregators.isEmpty() && codec == null;
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
    return aggregators.size();
  }

  /** Aggregator of value i, in the message's order; each aggregator occurs once. */
  public String aggregator(int i) {
    return aggregators.get(i);
  }

  /** Text of value i in the message. */
  public String value(int i) {
    return values.get(i * slots + slot);
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
    return Math.max(1, size()) + (codec == null ? 0 : 1);
  }
}
