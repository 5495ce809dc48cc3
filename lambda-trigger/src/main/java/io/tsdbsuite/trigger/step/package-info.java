/** Plans the run of each day on AWS: the options of Spark and of rollup-job. */
@NullMarked
package io.tsdbsuite.trigger.step;

import org.jspecify.annotations.NullMarked;
