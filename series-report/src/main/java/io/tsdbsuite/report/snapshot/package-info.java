/** Reads snapshots of tsdb-meta and tsdb-uid from their HFiles, without a running HBase. */
package io.tsdbsuite.report.snapshot;
