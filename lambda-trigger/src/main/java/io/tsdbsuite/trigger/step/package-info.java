/**
 * Plans the EMR step of each day: the command line of rollup-job, whether it resumes an earlier
 * run, and its search for late data.
 */
@NullMarked
package io.tsdbsuite.trigger.step;

import org.jspecify.annotations.NullMarked;
