/** Reports of runs: one model, which is written as JSON and as a table of text. */
@NullMarked
package io.tsdbsuite.job.report;

import org.jspecify.annotations.NullMarked;
