/**
 * Points through Kafka, the process of stream-rollup that rolls them up, and a late point whose
 * rollups are repaired.
 */
@NullMarked
package io.tsdbsuite.quickstart.stream;

import org.jspecify.annotations.NullMarked;
