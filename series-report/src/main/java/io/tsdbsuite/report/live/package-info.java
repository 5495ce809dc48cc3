/** Reads tsdb-meta and tsdb-uid of a running HBase, with the client that the TSD uses. */
@NullMarked
package io.tsdbsuite.report.live;

import org.jspecify.annotations.NullMarked;
