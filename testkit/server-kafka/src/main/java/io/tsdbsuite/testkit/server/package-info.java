/** Process that runs Kafka for the testkit. */
package io.tsdbsuite.testkit.server;
