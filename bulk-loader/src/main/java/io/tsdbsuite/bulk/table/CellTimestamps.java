package io.tsdbsuite.bulk.table;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The HBase timestamps of the cells of a load; immutable.
 *
 * <pre>
 *   now       one stamp for the whole load: when it began
 *   data      the newest point of the cell, never outside the hour of its row
 *   EPOCHms   one stamp for the whole load, as given
 * </pre>
 *
 * <p>Where TSDs stamp cells with data time ({@code tsd.storage.use_otsdb_timestamp}), only {@code
 * data} is allowed: their queries read nothing that is stamped outside its own hour, and HBase's
 * date-tiered compaction sorts files by these stamps. {@code
 * tsd.storage.get_date_tiered_compaction_start} would let older rows be read with any stamp, but
 * nothing is gained by it.
 *
 * <p>Source: docs/storage.md 11.
 */
public final class CellTimestamps {
  private static final String OPTION = "--cell-timestamp";
  private static final String DATED = "tsd.storage.use_otsdb_timestamp";
  private static final long MILLIS = 1000;

  private enum Kind {
    NOW,
    DATA,
    EPOCH
  }

  private final Kind kind;
  private final long fixed;

  private CellTimestamps(Kind kind, long fixed) {
    this.kind = kind;
    this.fixed = fixed;
  }

  /**
   * Parses the option for this installation.
   *
   * @param option {@code now}, {@code data}, milliseconds since the epoch, or null for the default:
   *     {@code data} if the TSDs of the installation use the points' timestamps, else {@code now}
   * @throws JobException when the option is none of these, lies in the future, or does not go
   *     together with the TSD's configuration
   */
  public static CellTimestamps of(
      @Nullable String option, StorageSchema schema, InstantSource clock) {
    boolean dated = schema.useOtsdbTimestamp();
    if (option == null) {
      return dated
          ? new CellTimestamps(Kind.DATA, 0)
          : new CellTimestamps(Kind.NOW, clock.millis());
    }
    CellTimestamps stamps = parse(option, clock);
    if (dated && stamps.kind != Kind.DATA) {
      throw JobException.usage(
          ("%s must be data while %s is on (queries read no cell that is stamped outside"
                  + " its hour), found %s")
              .formatted(OPTION, DATED, option));
    }
    return stamps;
  }

  private static CellTimestamps parse(String option, InstantSource clock) {
    return switch (option.toLowerCase(Locale.ROOT)) {
      case "now" -> new CellTimestamps(Kind.NOW, clock.millis());
      case "data" -> new CellTimestamps(Kind.DATA, 0);
      default -> epoch(option, clock);
    };
  }

  private static CellTimestamps epoch(String option, InstantSource clock) {
    long epoch = number(option);
    if (epoch <= 0) {
      throw JobException.usage(
          OPTION + " must be now, data or milliseconds since the epoch, found " + option);
    }
    if (epoch > clock.millis()) {
      throw JobException.usage(
          ("%s must not lie in the future (it would hide later writes of TSDs), found %s,"
                  + " it is %s")
              .formatted(OPTION, option, clock.millis()));
    }
    return new CellTimestamps(Kind.EPOCH, epoch);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /**
   * Parses {@link #text()}.
   *
   * @throws IllegalArgumentException when the text is invalid
   */
  public static CellTimestamps restore(String text) {
    int at = text.indexOf('@');
    Kind kind = Kind.valueOf((at < 0 ? text : text.substring(0, at)).toUpperCase(Locale.ROOT));
    return new CellTimestamps(kind, at < 0 ? 0 : Long.parseLong(text.substring(at + 1)));
  }

  /** Text form, for the journal. */
  public String text() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind == Kind.DATA ? name : name + "@" + fixed;
  }

  /**
   * The stamp of a cell, milliseconds since the epoch.
   *
   * @param keys configuration keys of the installation
   */
  public long of(EncodedRow row, RowKey keys) {
    return of(row.key(), row.newestMillis(), keys);
  }

  /** The stamp of a cell whose last point is of {@code newestMillis}. */
  public long of(byte[] key, long newestMillis, RowKey keys) {
    if (kind != Kind.DATA) {
      return fixed;
    }
    long start = keys.baseTime(key, 0) * MILLIS;
    long last = start + RowKey.ROW_SPAN_SECONDS * MILLIS - 1;
    return Math.min(Math.max(newestMillis, start), last);
  }

  /** Whether each cell is stamped with the time of its points. */
  public boolean areDataTime() {
    return kind == Kind.DATA;
  }

  /**
   * Whether cells may be older than delete markers in the table, which then hide them: true of all
   * stamps but the time at which the load began.
   */
  public boolean mayBeHidden() {
    return kind != Kind.NOW;
  }

  /**
   * The oldest stamp that a load gives.
   *
   * @param oldestMillis its oldest point, milliseconds since the epoch
   */
  long oldest(long oldestMillis) {
    return kind == Kind.DATA ? oldestMillis : fixed;
  }

  @Override
  public String toString() {
    return text();
  }
}
