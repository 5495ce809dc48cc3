/**
 * Plans the run of each day: the options of Spark and of rollup-job, whether it resumes an earlier
 * run, and its search for late data.
 */
@NullMarked
package io.tsdbsuite.trigger.step;

import org.jspecify.annotations.NullMarked;
