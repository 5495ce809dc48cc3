/**
 * Manifests of snapshots, and the locations of their HFiles. {@link
 * io.tsdbsuite.hbase.snapshot.SnapshotLoader} is the entry.
 */
@NullMarked
package io.tsdbsuite.hbase.snapshot;

import org.jspecify.annotations.NullMarked;
