package io.tsdbsuite.nightly.config;

import java.util.Map;

/**
 * Properties of the clients of other systems.
 *
 * @param hbase of HBase, the address of the TSD's configuration among them
 * @param hadoop of Hadoop's file systems
 */
public record Clients(Map<String, String> hbase, Map<String, String> hadoop) {}
