/**
 * Which rollups are proven to be stored (coverage), and the plan of a query's pieces that follows.
 *
 * <p>Specified in docs/coverage.md.
 */
package io.tsdbsuite.coverage;
