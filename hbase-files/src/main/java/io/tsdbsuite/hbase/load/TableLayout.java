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
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The settings of a table and one of its families that determine its HFiles, and its regions, at
 * one moment; immutable.
 */
public final class TableLayout {
  private final TableName name;
  private final ColumnFamilyDescriptor family;
  private final long maxFileSize;
  private final List<Region> regions;
  private final boolean readOnly;
  private final List<String> coprocessors;

  /**
   * @param family null if the table does not have the family: then the methods about the family
   *     must not be called
   * @param maxFileSize size at which a region of the table is split, bytes; 0 if the table does not
   *     set it
   * @param regions ascending, without a gap
   */
  public TableLayout(
      TableName name, ColumnFamilyDescriptor family, long maxFileSize, List<Region> regions) {
    this(name, family, maxFileSize, regions, false, List.of());
  }

  private TableLayout(
      TableName name,
      ColumnFamilyDescriptor family,
      long maxFileSize,
      List<Region> regions,
      boolean readOnly,
      List<String> coprocessors) {
    this.name = name;
    this.family = family;
    this.maxFileSize = Math.max(0, maxFileSize);
    this.regions = List.copyOf(regions);
    this.readOnly = readOnly;
    this.coprocessors = coprocessors;
  }

  /** From the description of a table. */
  public static TableLayout of(TableDescriptor table, byte[] family, List<Region> regions) {
    return new TableLayout(
        table.getTableName(),
        table.getColumnFamily(family),
        table.getMaxFileSize(),
        regions,
        table.isReadOnly(),
        table.getCoprocessorDescriptors().stream()
            .map(CoprocessorDescriptor::getClassName)
            .toList());
  }

  /**
   * Reads the layout from HBase.
   *
   * @throws TableNotFoundException when the table does not exist
   * @throws IOException when HBase fails
   */
  public static TableLayout read(Connection connection, TableName name, byte[] family)
      throws IOException {
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(name)) {
      return of(admin.getDescriptor(name), family, regions(locator));
    }
  }

  /** Without the replicas of regions, which HBase lists too: null for one without a server. */
  static List<Region> regions(RegionLocator locator) throws IOException {
    List<Region> regions = new ArrayList<>();
    for (HRegionLocation location : locator.getAllRegionLocations()) {
      if (location != null && RegionReplicaUtil.isDefaultReplica(location.getRegion())) {
        regions.add(
            new Region(location.getRegion().getStartKey(), location.getRegion().getEndKey()));
      }
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

  /** Whether the table takes no writes. */
  public boolean isReadOnly() {
    return readOnly;
  }

  /** The classes of HBase's coprocessors that the table names; unmodifiable. */
  public List<String> coprocessors() {
    return coprocessors;
  }

  /** Its regions, ascending; unmodifiable. */
  public List<Region> regions() {
    return regions;
  }

  /** Time to live of a cell after its timestamp, seconds; HConstants.FOREVER for no limit. */
  public int ttlSeconds() {
    return family.getTimeToLive();
  }

  /** Number of versions that stay although they are expired. */
  public int minVersions() {
    return family.getMinVersions();
  }

  /** Maximum number of versions of a cell. */
  public int maxVersions() {
    return family.getMaxVersions();
  }

  /** Compression of blocks. */
  public Compression.Algorithm compression() {
    return family.getCompressionType();
  }

  /** Encoding of keys within blocks. */
  public DataBlockEncoding encoding() {
    return family.getDataBlockEncoding();
  }

  /** Type of the files' Bloom filters. */
  public BloomType bloom() {
    return family.getBloomFilterType();
  }

  /** Size of a block before compression, bytes. */
  public int blockSize() {
    return family.getBlocksize();
  }

  /** Whether large cells are in separate files (MOB), which this package cannot write. */
  public boolean isMobEnabled() {
    return family.isMobEnabled();
  }

  /** The cipher of the family's files; null if they are not encrypted. */
  public String encryption() {
    return family.getEncryptionType();
  }

  /** Size at which a region of this table is split, bytes; 0 if the table does not set it. */
  public long maxFileSize() {
    return maxFileSize;
  }
}
