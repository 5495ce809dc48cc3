/** The {@code KafkaRpcPlugin.*} keys of opentsdb.conf, read and checked as a whole. */
package io.tsdbsuite.ingest.config;
