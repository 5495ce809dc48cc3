/** Runs a load on one machine: reads the input, writes the rows, resumes, verifies, reports. */
package io.tsdbsuite.bulk.run;
