package io.tsdbsuite.trigger.snapshot;

import java.time.Instant;
import java.util.List;

/**
 * A snapshot that is whole.
 *
 * @param name its name
 * @param created when HBase took it
 * @param etags of {@code .snapshotinfo} and {@code data.manifest}
 * @param regions how many it has
 * @param files how many HFiles it has
 * @param bytes of all HFiles
 */
public record WholeSnapshot(
    String name, Instant created, List<String> etags, int regions, int files, long bytes) {}
