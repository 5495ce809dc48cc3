package io.tsdbsuite.rollup.input;

import io.tsdbsuite.coverage.MetricPatterns;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Options of a rollup run, without the sink. */
public final class RollupOptions {
  private final String snapshotRoot;
  private final String dataSnapshot;
  private final UidSettings uids;
  private final StorageSchema schema;
  private final RollupIntervals intervals;
  private final long from;
  private final long to;
  private final HoldBack holdBack;
  private final MetricPatterns metrics;
  private final long maxFailedRows;
  private final long partitionBytes;
  private final Tolerance tolerance;
  private final @Nullable ChangedSince changedSince;
  private final AsOf asOf;
  private final boolean anyBucket;

  private RollupOptions(Builder values) {
    List<String> missing = values.missing();
    if (!missing.isEmpty()) {
      throw new IllegalStateException("options are missing: " + String.join(", ", missing));
    }
    snapshotRoot = Objects.requireNonNull(values.snapshotRoot);
    dataSnapshot = Objects.requireNonNull(values.dataSnapshot);
    uids = Objects.requireNonNull(values.uids);
    schema = Objects.requireNonNull(values.schema);
    intervals = Objects.requireNonNull(values.intervals);
    from = Objects.requireNonNull(values.from);
    to = Objects.requireNonNull(values.to);
    holdBack = Objects.requireNonNull(values.holdBack);
    partitionBytes = Objects.requireNonNull(values.partitionBytes);
    metrics = values.metrics;
    maxFailedRows = values.maxFailedRows;
    tolerance = values.tolerance;
    changedSince = values.changedSince;
    asOf = values.asOf;
    anyBucket = values.anyBucket;
  }

  /** Returns a builder without values. */
  public static Builder builder() {
    return new Builder();
  }

  /** HBase root or target of ExportSnapshot, with its scheme; read-only. */
  public String snapshotRoot() {
    return snapshotRoot;
  }

  /** Name of the snapshot of the data table. */
  public String dataSnapshot() {
    return dataSnapshot;
  }

  /** Source of the names of UIDs. */
  public UidSettings uids() {
    return uids;
  }

  /** Widths, salt and duplicate rules of the TSD. */
  public StorageSchema schema() {
    return schema;
  }

  /** Widths of the rollups. */
  public RollupIntervals intervals() {
    return intervals;
  }

  /**
   * First hour, inclusive, seconds since the epoch, UTC, on the hour; on the day when days are
   * rolled up.
   */
  public long from() {
    return from;
  }

  /** Last hour, exclusive, in the form of {@link #from}. */
  public long to() {
    return to;
  }

  /**
   * Minimum distance of the window from the present and from the snapshot; for the present it
   * already allows {@link #to}.
   */
  public HoldBack holdBack() {
    return holdBack;
  }

  /** Metric filter. */
  public MetricPatterns metrics() {
    return metrics;
  }

  /** Approximate limit of the compressed bytes in the window that one task reads. */
  public long partitionBytes() {
    return partitionBytes;
  }

  /** Defects of the input that the user accepts, besides failed rows. */
  public Tolerance tolerance() {
    return tolerance;
  }

  /** Selects the rows before the window to roll up again; null for none. */
  public @Nullable ChangedSince changedSince() {
    return changedSince;
  }

  /** Timestamp of the rollups. */
  public AsOf asOf() {
    return asOf;
  }

  /** Whether the rows of all salt buckets are merged; never without salt. */
  public boolean mergesBuckets() {
    return anyBucket && schema.saltWidth() > 0;
  }

  /** Limits for failures before the run stops. */
  public FailureLimits limits() {
    return new FailureLimits(maxFailedRows, tolerance.failedBlocks());
  }

  /**
   * Collects the values of {@link RollupOptions}, whose accessors define them. A value is required
   * unless the description of its method names a default.
   */
  public static final class Builder {
    private @Nullable String snapshotRoot;
    private @Nullable String dataSnapshot;
    private @Nullable UidSettings uids;
    private @Nullable StorageSchema schema;
    private @Nullable RollupIntervals intervals;
    private @Nullable Long from;
    private @Nullable Long to;
    private @Nullable HoldBack holdBack;
    private MetricPatterns metrics = MetricPatterns.all();
    private long maxFailedRows;
    private @Nullable Long partitionBytes;
    private Tolerance tolerance = Tolerance.NONE;
    private @Nullable ChangedSince changedSince;
    private AsOf asOf = AsOf.SNAPSHOT;
    private boolean anyBucket;

    private Builder() {}

    /** Names of the required values that are not set. */
    private List<String> missing() {
      Map<String, @Nullable Object> required = new LinkedHashMap<>();
      required.put("snapshotRoot", snapshotRoot);
      required.put("dataSnapshot", dataSnapshot);
      required.put("uids", uids);
      required.put("schema", schema);
      required.put("intervals", intervals);
      required.put("from", from);
      required.put("to", to);
      required.put("holdBack", holdBack);
      required.put("partitionBytes", partitionBytes);
      return required.entrySet().stream()
          .filter(value -> value.getValue() == null)
          .map(Map.Entry::getKey)
          .toList();
    }

    /** Sets {@link RollupOptions#snapshotRoot}. */
    public Builder snapshotRoot(String value) {
      snapshotRoot = value;
      return this;
    }

    /** Sets {@link RollupOptions#dataSnapshot}. */
    public Builder dataSnapshot(String value) {
      dataSnapshot = value;
      return this;
    }

    /** Sets {@link RollupOptions#uids}. */
    public Builder uids(UidSettings value) {
      uids = value;
      return this;
    }

    /** Sets {@link RollupOptions#schema}. */
    public Builder schema(StorageSchema value) {
      schema = value;
      return this;
    }

    /** Sets {@link RollupOptions#intervals}. */
    public Builder intervals(RollupIntervals value) {
      intervals = value;
      return this;
    }

    /** Sets {@link RollupOptions#from}. */
    public Builder from(long value) {
      from = value;
      return this;
    }

    /** Sets {@link RollupOptions#to}. */
    public Builder to(long value) {
      to = value;
      return this;
    }

    /** Sets {@link RollupOptions#holdBack}. */
    public Builder holdBack(HoldBack value) {
      holdBack = value;
      return this;
    }

    /** Sets {@link RollupOptions#metrics}; default: all. */
    public Builder metrics(MetricPatterns value) {
      metrics = value;
      return this;
    }

    /** Sets the number of rows that may fail before the run stops; default: 0. */
    public Builder maxFailedRows(long value) {
      maxFailedRows = value;
      return this;
    }

    /** Sets {@link RollupOptions#partitionBytes}. */
    public Builder partitionBytes(long value) {
      partitionBytes = value;
      return this;
    }

    /** Sets {@link RollupOptions#tolerance}; default: {@link Tolerance#NONE}. */
    public Builder tolerance(Tolerance value) {
      tolerance = value;
      return this;
    }

    /** Sets {@link RollupOptions#changedSince}; default: null. */
    public Builder changedSince(@Nullable ChangedSince value) {
      changedSince = value;
      return this;
    }

    /** Sets {@link RollupOptions#asOf}; default: {@link AsOf#SNAPSHOT}. */
    public Builder asOf(AsOf value) {
      asOf = value;
      return this;
    }

    /** Sets {@link RollupOptions#mergesBuckets}; default: false. */
    public Builder anyBucket(boolean value) {
      anyBucket = value;
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalStateException if a required value is missing; the message names all of them
     */
    public RollupOptions build() {
      return new RollupOptions(this);
    }
  }
}
