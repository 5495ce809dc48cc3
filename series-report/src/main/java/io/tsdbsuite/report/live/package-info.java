/** Reads tsdb-meta and tsdb-uid of a running HBase, with the client that the TSD uses. */
package io.tsdbsuite.report.live;
