/**
 * The stock way from Kafka to the TSD, as opentsdb-rpc-kafka goes it, for comparison: written anew,
 * since that plugin speaks to no broker of today.
 */
package io.tsdbsuite.bench.stock;
