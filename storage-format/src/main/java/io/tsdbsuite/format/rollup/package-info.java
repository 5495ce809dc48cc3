/**
 * Rollups: the configuration of intervals, tables and aggregator ids, and the cells of rollup
 * tables. Source: docs/storage.md 6.
 */
package io.tsdbsuite.format.rollup;
