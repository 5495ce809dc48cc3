/** Runs a load on one machine: reads the input, writes the rows, resumes, verifies, reports. */
@NullMarked
package io.tsdbsuite.bulk.run;

import org.jspecify.annotations.NullMarked;
