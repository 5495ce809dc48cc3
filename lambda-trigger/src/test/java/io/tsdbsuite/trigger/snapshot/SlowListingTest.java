package io.tsdbsuite.trigger.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.testkit.seed.Seed;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.ManifestReader.Manifest;
import io.tsdbsuite.trigger.snapshot.SnapshotCheck.IncompleteSnapshotException;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The check against a store whose every answer takes time. {@code -Dcheck.keys=5000000} is the size
 * of a large backup; {@code bin/check-time} measures it.
 */
class SlowListingTest {
  private static final int KEYS = Integer.getInteger("check.keys", 100_000);
  private static final int PAGES = KEYS / 1000;
  private static final long LATENCY_MILLIS = 50;
  private static final S3Location ROOT = S3Location.parse("s3://backup/hbase");

  private static void check(SlowListing listing) {
    NavigableMap<String, Long> files = new TreeMap<>();
    for (int i = 0; i < KEYS; i++) {
      files.put(SlowListing.path(i), SlowListing.SIZE);
    }
    new HFileCheck(
            new ObjectStore(listing.client()),
            ROOT,
            "snap",
            new Deadline(() -> 60_000),
            SnapshotCheck.THREADS)
        .check(new Manifest(1, Map.of("default/tsdb", files), Optional.empty()));
  }

  @Test
  void manyRequestsAtOnceAndNotManyMoreThanPages() throws IOException {
    try (SlowListing listing = new SlowListing(KEYS, -1, LATENCY_MILLIS)) {
      check(listing);
      assertThat(listing.mostOpen()).isBetween(SnapshotCheck.THREADS / 2, SnapshotCheck.THREADS);
      assertThat(listing.requests()).isBetween(PAGES, PAGES + 2 * 129);
    }
  }

  @Test
  void oneOfAllIsMissing() throws IOException {
    long seed = Seed.VALUE;
    int missing = new Random(seed).nextInt(KEYS);
    try (SlowListing listing = new SlowListing(KEYS, missing, 0)) {
      assertThatThrownBy(() -> check(listing))
          .as("seed %d", seed)
          .isInstanceOf(IncompleteSnapshotException.class)
          .hasMessageContaining("1 of " + KEYS + " HFiles")
          .hasMessageContaining(SlowListing.path(missing) + " is missing");
    }
  }
}
