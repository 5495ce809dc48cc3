/** The topics, and kafka-ingest in a TSD, which stores points and rollups from Kafka. */
@NullMarked
package io.tsdbsuite.quickstart.ingest;

import org.jspecify.annotations.NullMarked;
