/** Reads the indexes of many HFiles on the executors, for the plan of a run. */
@NullMarked
package io.tsdbsuite.rollup.plan.job;

import org.jspecify.annotations.NullMarked;
