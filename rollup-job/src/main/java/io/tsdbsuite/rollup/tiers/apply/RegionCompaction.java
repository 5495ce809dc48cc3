package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets HBase remove delete markers: by major compactions of the regions that have some. */
record RegionCompaction(Admin admin, TableName table) {
  private static final Logger LOG = LoggerFactory.getLogger(RegionCompaction.class);

  /**
   * Compactions of a region after which markers must be gone: another that is at work, or an open
   * scanner, may keep them for a while.
   */
  private static final int ROUNDS = 10;

  private static final long POLL_MILLIS = 1000;

  /** Work of HBase, or a look at what it has done. */
  @FunctionalInterface
  interface Work<T> {
    /** Does it. */
    T run() throws IOException;
  }

  /**
   * Compacts until a look finds no region.
   *
   * @param look finds the regions, by any names of their own
   * @param before called before each round
   * @throws JobException outside, when markers stay
   * @throws IOException when HBase fails
   */
  void whileThereAre(Work<SortedMap<String, byte[]>> look, Runnable before) throws IOException {
    Map<String, Integer> asked = new HashMap<>();
    for (SortedMap<String, byte[]> regions = look.run(); !regions.isEmpty(); regions = look.run()) {
      if (regions.keySet().stream().anyMatch(region -> asked.getOrDefault(region, 0) == ROUNDS)) {
        throw JobException.outside(
            ("%s major compactions of a region must remove the delete markers that hide cells of"
                    + " the snapshots, found some in %s regions: switch compactions on"
                    + " (compaction_switch of the HBase shell), let"
                    + " hbase.hstore.time.to.purge.deletes be 0, and run it again")
                .formatted(ROUNDS, regions.size()));
      }
      before.run();
      LOG.info("HBase compacts {} regions of table {} with delete markers", regions.size(), table);
      for (Map.Entry<String, byte[]> each : regions.entrySet()) {
        byte[] region = each.getValue();
        boolean unused =
            unlessGone(
                region,
                () -> {
                  admin.flushRegion(region);
                  admin.majorCompactRegion(region);
                  return asked.merge(each.getKey(), 1, Integer::sum) > 0;
                });
      }
      do {
        pause();
      } while (isAtWork(regions));
    }
  }

  private boolean isAtWork(SortedMap<String, byte[]> regions) throws IOException {
    for (byte[] region : regions.values()) {
      if (unlessGone(
          region, () -> admin.getCompactionStateForRegion(region) != CompactionState.NONE)) {
        return true;
      }
    }
    return false;
  }

  /** Does work on a region; false if it was split or merged meanwhile. */
  private boolean unlessGone(byte[] region, Work<Boolean> work) throws IOException {
    try {
      return work.run();
    } catch (IOException e) {
      for (RegionInfo each : admin.getRegions(table)) {
        if (Arrays.equals(each.getRegionName(), region)) {
          throw e;
        }
      }
      LOG.info("region {} was split or merged: {}", Bytes.toStringBinary(region), e.getMessage());
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside(
          "interrupted while HBase compacts; the floors are as they were", e);
    }
  }
}
