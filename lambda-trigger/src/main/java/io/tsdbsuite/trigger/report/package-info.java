/** The reports of rollup-job (docs/rollup-job.md): which days are done, and what a run did. */
package io.tsdbsuite.trigger.report;
