/**
 * Rows of the table of time series metadata ({@code tsdb-meta}): TSMeta JSON and point counters.
 * Source: docs/storage.md 5.
 */
package io.tsdbsuite.format.meta;
