/** Reads snapshots of tsdb-meta and tsdb-uid from their HFiles, without a running HBase. */
@NullMarked
package io.tsdbsuite.report.snapshot;

import org.jspecify.annotations.NullMarked;
