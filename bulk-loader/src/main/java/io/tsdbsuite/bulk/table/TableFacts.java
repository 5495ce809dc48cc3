package io.tsdbsuite.bulk.table;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.hbase.load.HFileSupport;
import io.tsdbsuite.hbase.load.Region;
import io.tsdbsuite.hbase.load.TableLayout;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Properties of the data table at one moment. */
public final class TableFacts {
  /** Family of points; one byte. HBase takes it as an array for every cell, so it is not copied. */
  @SuppressWarnings("MutablePublicArray")
  public static final byte[] FAMILY = RowKey.family();

  private static final long MILLIS = 1000;

  private final TableLayout layout;

  TableFacts(TableDescriptor table, List<Region> regions) {
    this(TableLayout.of(table, FAMILY, regions));
  }

  private TableFacts(TableLayout layout) {
    this.layout = layout;
  }

  /**
   * Reads them from HBase.
   *
   * @throws JobException usage, when there is no such table, or HBase demands a right (C or A) or a
   *     ticket; outside, when HBase fails
   */
  public static TableFacts read(Connection connection, String tableName) {
    try {
      return new TableFacts(TableLayout.read(connection, TableName.valueOf(tableName), FAMILY));
    } catch (TableNotFoundException e) {
      throw JobException.usage("table " + tableName + " must exist, HBase does not have it");
    } catch (IOException e) {
      throw HBaseFailures.outside("HBase must describe table " + tableName, e);
    }
  }

  /**
   * Reasons to refuse a load into this table, one sentence each; empty if there are none.
   *
   * @param oldestMillis oldest point of the load, milliseconds since the epoch
   * @param nowMillis the time, milliseconds since the epoch
   * @param hfiles whether this process writes HFiles for the table
   */
  public List<String> problems(
      CellTimestamps stamps, long oldestMillis, long nowMillis, boolean hfiles) {
    List<String> problems = new ArrayList<>();
    if (!layout.hasFamily()) {
      problems.add("table " + name() + " must have the column family t");
      return problems;
    }
    if (layout.isReadOnly()) {
      problems.add("table " + name() + " must take writes, found READONLY => 'true'");
    }
    long oldest = stamps.oldest(oldestMillis);
    if (ttlSeconds() != HConstants.FOREVER
        && minVersions() == 0
        && oldest <= nowMillis - ttlSeconds() * MILLIS) {
      problems.add(swallowed(stamps, oldest, nowMillis));
    }
    if (hfiles) {
      for (String problem : HFileSupport.problems(layout)) {
        problems.add("table " + name() + " " + problem + ": use load --mode put");
      }
    }
    return problems;
  }

  /**
   * Reasons to refuse rows that HBase's write-ahead log lacks, as of HFiles and of puts without it;
   * empty if the family is not replicated.
   */
  public List<String> unreplicated() {
    int scope = layout.hasFamily() ? layout.family().getScope() : 0;
    return scope == HConstants.REPLICATION_SCOPE_LOCAL
        ? List.of()
        : List.of(
            ("table %s replicates its column family t (REPLICATION_SCOPE => %s), and peers lack"
                 + " rows of --wal skip, and of HFiles unless hbase.replication.bulkload.enabled is"
                 + " true on the region servers: use --mode put with another --wal, or"
                 + " --allow-unreplicated")
                .formatted(name(), scope));
  }

  /**
   * What a table's other attributes change for HFiles, one sentence each; empty if nothing.
   * DURABILITY does not: the puts of a load name their own.
   */
  public List<String> warnings() {
    return layout.coprocessors().isEmpty()
        ? List.of()
        : List.of(
            ("table %s has coprocessors, which see puts and not the cells of HFiles: %s; use"
                    + " --mode put if they must see the load")
                .formatted(name(), String.join(", ", layout.coprocessors())));
  }

  private String swallowed(CellTimestamps stamps, long oldest, long nowMillis) {
    return ("table %s lets cells expire %s s after their timestamp (TTL), so cells stamped"
            + " %s or earlier are gone at once, found %s%s by --cell-timestamp %s")
        .formatted(
            name(),
            ttlSeconds(),
            Instant.ofEpochMilli(nowMillis - ttlSeconds() * MILLIS),
            Instant.ofEpochMilli(oldest),
            stamps.areDataTime() ? " (the oldest point)" : "",
            stamps);
  }

  /** The table's name. */
  public TableName name() {
    return layout.name();
  }

  /** Layout for HFiles of the table. */
  public TableLayout layout() {
    return layout;
  }

  /** Its regions, ascending. */
  public List<Region> regions() {
    return layout.regions();
  }

  /** Lifetime of cells after their timestamp, seconds; {@link HConstants#FOREVER} for ever. */
  public int ttlSeconds() {
    return layout.ttlSeconds();
  }

  /** Versions that stay although they are expired. */
  public int minVersions() {
    return layout.minVersions();
  }

  /** Size at which a region of this table is split, bytes; 0 if the table has no such setting. */
  public long maxFileSize() {
    return layout.maxFileSize();
  }
}
