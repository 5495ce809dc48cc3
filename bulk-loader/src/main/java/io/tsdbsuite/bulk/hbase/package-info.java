/** Connections to the HBase of the TSD: client configuration, table check, and batched requests. */
@NullMarked
package io.tsdbsuite.bulk.hbase;

import org.jspecify.annotations.NullMarked;
