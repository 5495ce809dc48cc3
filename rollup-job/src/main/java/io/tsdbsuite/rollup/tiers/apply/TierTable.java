package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.ColumnKind;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.PolicyReader;
import io.tsdbsuite.rollup.verify.Aggregators;
import java.io.IOException;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The table of a level of a policy: the data table, or the rollup table of an interval.
 *
 * @param level {@link Policy#RAW}, or the interval
 * @param name of the table
 * @param rollups null for the data table
 * @param aggregators of rollups
 * @param coarser the intervals that can be computed from its rows, the narrowest first
 */
public record TierTable(
    String level,
    String name,
    StorageSchema schema,
    @Nullable RollupInterval rollups,
    Aggregators aggregators,
    List<RollupInterval> coarser)
    implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long DAY = 86400;
  private static final byte[] FAMILY = RowKey.family();

  /**
   * The table of a level.
   *
   * @param level {@link Policy#RAW}, or an interval of rollup_config.json
   * @param codecs of histograms
   */
  public static TierTable of(
      String level, StorageSchema schema, RollupConfig config, HistogramCodecs codecs) {
    RollupInterval own =
        level.equals(Policy.RAW) ? null : Objects.requireNonNull(config.interval(level));
    long width = own == null ? 1 : own.seconds();
    return new TierTable(
        level,
        TableName.valueOf(own == null ? schema.dataTable() : own.table()).getNameAsString(),
        schema,
        own,
        Aggregators.of(config, codecs),
        config.intervals().stream()
            .filter(
                each ->
                    PolicyReader.isMade(each)
                        && each.seconds() > width
                        && each.seconds() % width == 0)
            .sorted(Comparator.comparingLong(RollupInterval::seconds))
            .toList());
  }

  /** The table with copies of these rows, by the same keys; null if there is none. */
  @Nullable TierTable packed() {
    String packed = aggregators.suite().packedTable(level);
    return packed == null
        ? null
        : new TierTable(
            level,
            TableName.valueOf(packed).getNameAsString(),
            schema,
            rollups,
            aggregators,
            coarser);
  }

  TableName hbase() {
    return TableName.valueOf(name);
  }

  /** What its cells are, for messages. */
  String data() {
    return rollups == null ? "raw data" : level + " rollups";
  }

  /**
   * Whether a column has data that a proof may be about, or would be if it could be decoded: any of
   * a rollup table.
   */
  boolean isOfProof(byte[] qualifier, int off, int len) {
    return rollups != null
        || switch (ColumnKind.of(qualifier, off, len)) {
          case ANNOTATION, UNKNOWN -> false;
          case HISTOGRAM -> aggregators.suite().hasHistograms();
          case SECONDS_POINT, MILLIS_POINT, COMPACTED, APPEND, CORRUPT -> true;
        };
  }

  /** Whether rows begin at a midnight, those of a day of the data table in any case. */
  boolean begins(long midnight) {
    return rollups == null || rollups.baseTime(midnight) == midnight;
  }

  /** The end of what goes together: of a day, or of a row that is longer. */
  long end(long midnight) {
    long day = midnight + DAY;
    return rollups == null ? day : Math.max(day, rollups.rowEnd(midnight));
  }

  /** Checks that markers may be loaded into it; null if it cannot be looked at. */
  @Nullable TableLayout layout(Admin admin, List<String> usage) throws IOException {
    TableName table = hbase();
    String what = "table " + table + " ";
    if (schema.useOtsdbTimestamp()) {
      usage.add(
          what
              + "must not have the times of its points as timestamps of its cells"
              + " (tsd.storage.use_otsdb_timestamp): a marker would hide points that come later");
    }
    if (!admin.tableExists(table)) {
      usage.add(what + "must exist, HBase does not have it");
      return null;
    }
    if (!admin.isTableEnabled(table)) {
      usage.add(what + "must be enabled, found disabled");
    }
    TableDescriptor descriptor = admin.getDescriptor(table);
    if (!descriptor.hasColumnFamily(FAMILY)) {
      usage.add(what + "must have the column family " + RowKey.FAMILY);
      return null;
    }
    if (descriptor.isReadOnly()) {
      usage.add(what + "must take writes, found READONLY => 'true'");
    }
    TableLayout layout = TableLayout.of(descriptor, FAMILY, List.of());
    HFileSupport.problems(layout).forEach(problem -> usage.add(what + problem));
    String replication = HFileSupport.replication(layout);
    if (replication != null) {
      usage.add(
          what
              + "must not be replicated, found REPLICATION_SCOPE => "
              + layout.family().getScope()
              + ": cells that come from another cluster with older timestamps would be hidden");
    }
    if (layout.family().getKeepDeletedCells() != KeepDeletedCells.FALSE) {
      usage.add(
          "%smust not keep deleted cells, found KEEP_DELETED_CELLS => %s"
              .formatted(what, layout.family().getKeepDeletedCells()));
    }
    return layout;
  }
}
