/**
 * Plans the run of a day: the options of rollup-job, whether it resumes an earlier run, and its
 * search for late data.
 */
@NullMarked
package io.tsdbsuite.planner.run;

import org.jspecify.annotations.NullMarked;
