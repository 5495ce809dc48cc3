/** Collects rollups from a TSD's answers and from Kafka messages, and compares them. */
@NullMarked
package io.tsdbsuite.testkit.rollup;

import org.jspecify.annotations.NullMarked;
