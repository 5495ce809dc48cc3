package io.tsdbsuite.bench.ingest;

/**
 * What one round took.
 *
 * @param seconds from the start until HBase has acknowledged everything
 * @param tsdCpu seconds of CPU of the TSD
 * @param hbaseCpu of HBase
 * @param kafkaCpu of Kafka
 * @param clientCpu of the benchmark itself, which sends the HTTP puts
 */
record Round(double seconds, double tsdCpu, double hbaseCpu, double kafkaCpu, double clientCpu) {}
