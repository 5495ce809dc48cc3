package io.tsdbsuite.planner.run;

/**
 * The Kafka topic of the rollups.
 *
 * @param bootstrap brokers, {@code host:port}, comma-separated
 * @param topic name of the topic
 * @param config properties file of the producer; empty for none
 */
public record KafkaTarget(String bootstrap, String topic, String config) {}
