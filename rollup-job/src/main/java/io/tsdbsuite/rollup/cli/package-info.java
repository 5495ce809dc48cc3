/**
 * The commands {@code rollup-job}, {@code verify} and {@code load}: options, their checks, exit
 * codes, and the report as a file. Reads the TSD configuration, starts Spark, and runs the jobs.
 */
@NullMarked
package io.tsdbsuite.rollup.cli;

import org.jspecify.annotations.NullMarked;
