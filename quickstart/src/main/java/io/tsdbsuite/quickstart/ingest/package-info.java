/** Sets up kafka-ingest in a TSD, which stores the rollups from Kafka, and waits for it. */
@NullMarked
package io.tsdbsuite.quickstart.ingest;

import org.jspecify.annotations.NullMarked;
