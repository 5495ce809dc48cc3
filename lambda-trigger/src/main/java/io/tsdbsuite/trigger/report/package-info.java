/**
 * Reads the reports of rollup-job (docs/rollup-job.md) from S3: the result of a run, and the days
 * that are complete.
 */
@NullMarked
package io.tsdbsuite.trigger.report;

import org.jspecify.annotations.NullMarked;
