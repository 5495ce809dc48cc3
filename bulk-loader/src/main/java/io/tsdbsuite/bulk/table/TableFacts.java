package io.tsdbsuite.bulk.table;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.hbase.Codecs;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/** What HBase says of the data table, at one moment. */
public final class TableFacts {
  /** Family of points; one byte. HBase takes it as an array for every cell, so it is not copied. */
  @SuppressWarnings("MutablePublicArray")
  public static final byte[] FAMILY = {'t'};

  private static final long MILLIS = 1000;

  private final TableDescriptor table;
  private final ColumnFamilyDescriptor family;
  private final List<Region> regions;

  TableFacts(TableDescriptor table, List<Region> regions) {
    this.table = table;
    this.family = table.getColumnFamily(FAMILY);
    this.regions = Collections.unmodifiableList(regions);
  }

  /**
   * Asks HBase.
   *
   * @throws LoadException when there is no such table, or HBase fails
   */
  public static TableFacts read(Connection connection, String tableName) {
    TableName name = TableName.valueOf(tableName);
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(name)) {
      return new TableFacts(admin.getDescriptor(name), regions(locator));
    } catch (TableNotFoundException e) {
      throw LoadException.usage("table " + tableName + " must exist, HBase does not have it");
    } catch (IOException e) {
      throw LoadException.outside(
          "table " + tableName + ": HBase did not describe it: " + e.getMessage(), e);
    }
  }

  private static List<Region> regions(RegionLocator locator) throws IOException {
    List<Region> regions = new ArrayList<>();
    for (HRegionLocation location : locator.getAllRegionLocations()) {
      regions.add(new Region(location.getRegion().getStartKey(), location.getRegion().getEndKey()));
    }
    regions.sort((a, b) -> Bytes.compareTo(a.start(), b.start()));
    return regions;
  }

  /**
   * Everything that speaks against this load, one sentence each; empty if nothing does.
   *
   * @param oldestMillis oldest point of the load, milliseconds since the epoch
   * @param nowMillis the time, likewise
   * @param hfiles whether this process writes HFiles for the table
   */
  public List<String> problems(
      CellTimestamps stamps, long oldestMillis, long nowMillis, boolean hfiles) {
    List<String> problems = new ArrayList<>();
    if (family == null) {
      problems.add("table " + name() + " must have the column family t");
      return problems;
    }
    long oldest = stamps.oldest(oldestMillis);
    if (ttlSeconds() != HConstants.FOREVER
        && minVersions() == 0
        && oldest <= nowMillis - ttlSeconds() * MILLIS) {
      problems.add(swallowed(stamps, oldest, nowMillis));
    }
    if (hfiles && !Codecs.canWrite(compression())) {
      problems.add(
          "table "
              + name()
              + " compresses with "
              + compression()
              + ", which this process cannot write: use --mode put");
    }
    if (hfiles && family.isMobEnabled()) {
      problems.add("table " + name() + " keeps large cells apart (MOB): use --mode put");
    }
    return problems;
  }

  private String swallowed(CellTimestamps stamps, long oldest, long nowMillis) {
    return "table "
        + name()
        + " lets cells expire "
        + ttlSeconds()
        + " s after their timestamp (TTL), so cells stamped "
        + Instant.ofEpochMilli(nowMillis - ttlSeconds() * MILLIS)
        + " or earlier are gone at once, found "
        + Instant.ofEpochMilli(oldest)
        + (stamps.areDataTime() ? " (the oldest point)" : "")
        + " by --cell-timestamp "
        + stamps;
  }

  /** The table's name. */
  public TableName name() {
    return table.getTableName();
  }

  /** Its regions, ascending. */
  public List<Region> regions() {
    return regions;
  }

  /** How long cells live after their timestamp, seconds; {@link HConstants#FOREVER} for ever. */
  public int ttlSeconds() {
    return family.getTimeToLive();
  }

  /** Versions that stay although they are expired. */
  public int minVersions() {
    return family.getMinVersions();
  }

  /** Versions of a cell that are kept. */
  public int maxVersions() {
    return family.getMaxVersions();
  }

  /** How blocks are compressed. */
  public Compression.Algorithm compression() {
    return family.getCompressionType();
  }

  /** How keys are packed within blocks. */
  public DataBlockEncoding encoding() {
    return family.getDataBlockEncoding();
  }

  /** What the bloom filters of the files know. */
  public BloomType bloom() {
    return family.getBloomFilterType();
  }

  /** Size of a block before compression, bytes. */
  public int blockSize() {
    return family.getBlocksize();
  }

  /** Size at which a region of this table is split, bytes; 0 if the table does not say. */
  public long maxFileSize() {
    return Math.max(0, table.getMaxFileSize());
  }
}
