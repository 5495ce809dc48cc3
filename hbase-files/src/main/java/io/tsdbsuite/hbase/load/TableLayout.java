package io.tsdbsuite.hbase.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/** What the files of a table's one family are made by, at one moment; immutable. */
public final class TableLayout {
  private final TableName name;
  private final ColumnFamilyDescriptor family;
  private final long maxFileSize;
  private final List<Region> regions;

  /**
   * @param family null if the table does not have it: then nothing may be asked of the family
   * @param maxFileSize size at which a region of the table is split, bytes; 0 if it does not say
   * @param regions ascending, without a gap
   */
  public TableLayout(
      TableName name, ColumnFamilyDescriptor family, long maxFileSize, List<Region> regions) {
    this.name = name;
    this.family = family;
    this.maxFileSize = Math.max(0, maxFileSize);
    this.regions = List.copyOf(regions);
  }

  /** Of a table that is described. */
  public static TableLayout of(TableDescriptor table, byte[] family, List<Region> regions) {
    return new TableLayout(
        table.getTableName(), table.getColumnFamily(family), table.getMaxFileSize(), regions);
  }

  /**
   * Asks HBase.
   *
   * @throws TableNotFoundException when there is no such table
   * @throws IOException when HBase fails
   */
  public static TableLayout read(Connection connection, TableName name, byte[] family)
      throws IOException {
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(name)) {
      return of(admin.getDescriptor(name), family, regions(locator));
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

  /** The table's name. */
  public TableName name() {
    return name;
  }

  /** Whether the table has the family. */
  public boolean hasFamily() {
    return family != null;
  }

  /** The family as HBase describes it; null if the table does not have it. */
  public ColumnFamilyDescriptor family() {
    return family;
  }

  /** Its regions, ascending; unmodifiable. */
  public List<Region> regions() {
    return regions;
  }

  /** How long cells live after their timestamp, seconds; HConstants.FOREVER for ever. */
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

  /** Whether large cells are kept apart (MOB), which no file of ours does. */
  public boolean isMobEnabled() {
    return family.isMobEnabled();
  }

  /** The cipher that the family's files are encrypted with; null if they are not. */
  public String encryption() {
    return family.getEncryptionType();
  }

  /** Size at which a region of this table is split, bytes; 0 if the table does not say. */
  public long maxFileSize() {
    return maxFileSize;
  }
}
