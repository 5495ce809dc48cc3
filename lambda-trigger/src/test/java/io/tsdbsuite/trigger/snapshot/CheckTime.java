package io.tsdbsuite.trigger.snapshot;

import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Measures the check of a snapshot of many HFiles against a store that answers each page after some
 * time. {@code bin/check-time} calls it.
 */
public final class CheckTime {
  private CheckTime() {}

  /**
   * Measures.
   *
   * @param args number of HFiles; time of an answer, ms; and numbers of threads, one measurement
   *     for each
   */
  public static void main(String[] args) throws IOException {
    // As AwsClients.
    System.setProperty("http.maxConnections", Integer.toString(SnapshotCheck.THREADS));
    int keys = Integer.parseInt(args[0]);
    long latency = Long.parseLong(args[1]);
    NavigableMap<String, Long> files = new TreeMap<>();
    for (int i = 0; i < keys; i++) {
      files.put(SlowListing.path(i), SlowListing.SIZE);
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "%d HFiles: %d MB of heap%n",
        keys, (runtime.totalMemory() - runtime.freeMemory()) / 1_000_000);
    Manifest manifest = new Manifest(1, Map.of("default/tsdb", files), Optional.empty());
    for (int i = 2; i < args.length; i++) {
      int threads = Integer.parseInt(args[i]);
      try (SlowListing listing = new SlowListing(keys, -1, latency)) {
        long begin = System.nanoTime();
        new HFileCheck(
                new ObjectStore(listing.client()),
                S3Location.parse("s3://backup/hbase"),
                "snap",
                new Deadline(() -> Long.MAX_VALUE),
                threads)
            .check(manifest);
        System.out.printf(
            "%d threads: %.1f s, %d requests of %d ms%n",
            threads, (System.nanoTime() - begin) / 1e9, listing.requests(), latency);
      }
    }
  }
}
