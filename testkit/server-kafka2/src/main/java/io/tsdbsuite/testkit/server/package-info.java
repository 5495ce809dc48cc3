/** Process that runs Kafka 2 for the testkit. */
@NullMarked
package io.tsdbsuite.testkit.server;

import org.jspecify.annotations.NullMarked;
