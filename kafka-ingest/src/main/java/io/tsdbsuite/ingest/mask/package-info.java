/**
 * Masks of the coverage table (docs/coverage.md): hours whose rollups lack points that were stored
 * late, or rollups that were lost.
 */
package io.tsdbsuite.ingest.mask;
