/**
 * Writes elements of messages through the TSD: raw points, rollups and histograms.
 *
 * <p>{@link io.tsdbsuite.ingest.store.ElementStore} is the entry; {@link
 * io.tsdbsuite.ingest.store.StorageFailure} classifies failures.
 */
package io.tsdbsuite.ingest.store;
