/** Connections to the HBase of the TSD: client configuration, table check, and batched requests. */
package io.tsdbsuite.bulk.hbase;
