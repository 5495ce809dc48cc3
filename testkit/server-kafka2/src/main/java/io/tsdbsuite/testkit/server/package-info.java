/** Process that runs Kafka 2 for the testkit. */
package io.tsdbsuite.testkit.server;
