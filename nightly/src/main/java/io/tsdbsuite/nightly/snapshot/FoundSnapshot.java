package io.tsdbsuite.nightly.snapshot;

import java.time.Instant;

/**
 * A finished snapshot.
 *
 * @param name its name
 * @param table its table, as HBase writes the name
 * @param created time at which it was taken, by the clock of HBase's master
 */
public record FoundSnapshot(String name, String table, Instant created) {}
