/**
 * Compares rollups that are stored with those that raw data make: records of both sides, where the
 * stored ones come from, and what became of the comparison. Knows neither Spark nor the job.
 */
package io.tsdbsuite.rollup.verify;
