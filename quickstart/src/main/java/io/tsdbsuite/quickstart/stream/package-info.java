/**
 * Points through Kafka, their storage by kafka-ingest in a TSD, and a late point whose rollups are
 * repaired.
 */
@NullMarked
package io.tsdbsuite.quickstart.stream;

import org.jspecify.annotations.NullMarked;
