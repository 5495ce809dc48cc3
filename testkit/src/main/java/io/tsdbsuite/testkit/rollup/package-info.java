/** Rollups from a TSD's answers and from messages, and their comparison. */
package io.tsdbsuite.testkit.rollup;
