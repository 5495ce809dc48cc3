package io.tsdbsuite.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;

/** Compacts and splits the regions of a table, and waits until HBase has finished. */
final class TableRegions {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Admin admin;
  private final TableName table;

  TableRegions(Admin admin, TableName table) {
    this.admin = admin;
    this.table = table;
  }

  /**
   * Flushes and compacts to one HFile per region and family.
   *
   * @throws IOException when HBase refuses
   * @throws ServerException when it is not done within a minute
   */
  void majorCompact() throws IOException {
    admin.flush(table);
    int families = admin.getDescriptor(table).getColumnFamilyCount();
    Map<String, Long> before = new LinkedHashMap<>();
    for (RegionMetrics region : metrics()) {
      before.put(region.getNameAsString(), region.getLastMajorCompactionTimestamp());
    }
    admin.majorCompact(table);
    Await.until("the major compaction of " + table, LIMIT, () -> isCompacted(families, before));
  }

  private boolean isCompacted(int families, Map<String, Long> before) throws IOException {
    if (admin.getCompactionState(table) != CompactionState.NONE) {
      return false;
    }
    for (RegionMetrics region : metrics()) {
      long last = before.getOrDefault(region.getNameAsString(), 0L);
      boolean empty = region.getStoreFileCount() == 0;
      boolean rewritten =
          region.getStoreFileCount() <= families && region.getLastMajorCompactionTimestamp() > last;
      if (!empty && !rewritten) {
        return false;
      }
    }
    return true;
  }

  private List<RegionMetrics> metrics() throws IOException {
    List<RegionMetrics> regions = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      regions.addAll(admin.getRegionMetrics(server, table));
    }
    return regions;
  }

  /**
   * Splits the region that holds a row, and waits until both daughters are online.
   *
   * @param row the second daughter's first row
   * @throws IOException when HBase refuses, for example because a region starts there already
   * @throws ServerException when it is not done within a minute
   */
  void split(byte[] row) throws IOException {
    try {
      admin.splitRegionAsync(region(row), row).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      Await.until("both daughters of the split of " + table, LIMIT, () -> isSplitAt(row));
    } catch (ExecutionException e) {
      throw new IOException("split of " + table + " at " + Bytes.toStringBinary(row), e.getCause());
    } catch (TimeoutException e) {
      throw new ServerException("split of " + table + " took over " + LIMIT.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted in the split of " + table, e);
    }
  }

  private byte[] region(byte[] row) throws IOException {
    try (RegionLocator locator = admin.getConnection().getRegionLocator(table)) {
      return locator.getRegionLocation(row, true).getRegion().getRegionName();
    }
  }

  private boolean isSplitAt(byte[] row) throws IOException {
    boolean left = false;
    boolean right = false;
    for (RegionInfo info : admin.getRegions(table)) {
      left |= Bytes.equals(info.getEndKey(), row);
      right |= Bytes.equals(info.getStartKey(), row);
    }
    return left && right && admin.isTableAvailable(table);
  }
}
