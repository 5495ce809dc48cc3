/**
 * Packs the rows of a rollup table into those of its packed table, by snapshots of both. Called by
 * {@code cli}. Source: docs/rollup-job.md, docs/storage.md 7.
 */
@NullMarked
package io.tsdbsuite.rollup.pack;

import org.jspecify.annotations.NullMarked;
