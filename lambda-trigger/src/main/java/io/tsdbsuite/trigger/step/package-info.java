/** How rollup-job is called for a day, and whether it goes on with an earlier run. */
package io.tsdbsuite.trigger.step;
