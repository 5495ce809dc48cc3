package io.tsdbsuite.trigger.snapshot;

import java.time.Instant;
import java.util.List;

/**
 * A complete snapshot.
 *
 * @param name its name
 * @param created creation time by HBase
 * @param etags of {@code .snapshotinfo} and {@code data.manifest}
 * @param regions number of regions
 * @param files number of HFiles
 * @param bytes total size of the HFiles with a known size
 */
public record WholeSnapshot(
    String name, Instant created, List<String> etags, int regions, int files, long bytes) {}
