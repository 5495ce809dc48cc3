package io.tsdbsuite.rollup.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Moves regions from one of two region servers to the other, by turns, beside other work. HBase's
 * balancer is off meanwhile.
 */
final class MovingRegions implements AutoCloseable {
  private final TierStore store;
  private int moves;
  private CompletableFuture<Void> moving = CompletableFuture.completedFuture(null);

  MovingRegions(TierStore store) throws IOException {
    this.store = store;
    balance(false);
  }

  private void balance(boolean on) throws IOException {
    try (Admin admin = store.hbase().connection().getAdmin()) {
      boolean unused = admin.balancerSwitch(on, true);
    }
  }

  /** Rolls up and loads while regions of the table of 1h move. */
  void besideRollUp() throws Exception {
    AtomicBoolean loaded = new AtomicBoolean();
    beside(
        () -> {
          while (!loaded.get()) {
            move(store.rollupTable("1h"));
          }
        });
    try {
      store.rollUp();
    } finally {
      loaded.set(true);
    }
    moving.join();
  }

  /** Does the work before a step while no region moves; then one moves beside the step. */
  void before(String step, Runnable work) {
    moving.join();
    work.run();
    if (step.equals("LOADED")) {
      // The last step reads nothing. After it a TSD is asked, and asynchbase asks for the scanner
      // of a region that has moved for ever; and HBase's client must forget a region that went to
      // a server and back, and was split then.
      clearLocations();
    } else {
      beside(() -> move(store.dataTable()));
    }
  }

  private void clearLocations() {
    try {
      store.hbase().connection().clearRegionLocationCache();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void beside(Runnable work) {
    moving = CompletableFuture.runAsync(work).orTimeout(5, TimeUnit.MINUTES);
  }

  private void move(String table) {
    try (Admin admin = store.hbase().connection().getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(TableName.valueOf(table));
      RegionInfo region = regions.get(moves % regions.size());
      admin.move(region.getEncodedNameAsBytes(), other(admin, region));
      moves++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerName other(Admin admin, RegionInfo region) throws IOException {
    for (ServerName server : admin.getRegionServers()) {
      if (!admin.getRegions(server).contains(region)) {
        return server;
      }
    }
    throw new IOException("two region servers are needed");
  }

  /** How many regions have moved. */
  int moves() {
    return moves;
  }

  @Override
  public void close() throws IOException {
    balance(true);
  }
}
