/**
 * Manifests of snapshots, and where the HFiles are that they name. {@link
 * io.tsdbsuite.hbase.snapshot.SnapshotLoader} is the entry.
 */
package io.tsdbsuite.hbase.snapshot;
