/** Reads the reports of rollup-job (docs/rollup-job.md): the result of a run, and the done days. */
@NullMarked
package io.tsdbsuite.planner.report;

import org.jspecify.annotations.NullMarked;
