/** Reads snapshots of tsdb-meta and tsdb-uid with HBase's own readers, without a running HBase. */
package io.tsdbsuite.report.snapshot;
