/** Collects rollups from a TSD's answers and from Kafka messages, and compares them. */
package io.tsdbsuite.testkit.rollup;
