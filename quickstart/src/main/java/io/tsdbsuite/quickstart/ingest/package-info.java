/** The topics, and the plugins in a TSD: kafka-ingest stores points and rollups from Kafka. */
@NullMarked
package io.tsdbsuite.quickstart.ingest;

import org.jspecify.annotations.NullMarked;
