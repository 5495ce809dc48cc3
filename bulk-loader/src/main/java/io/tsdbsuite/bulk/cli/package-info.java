/**
 * Commands and options of the command line ({@code bin/bulk-loader}, picocli). It turns options
 * into settings, runs a job, and prints its report; nothing else knows it.
 */
@NullMarked
package io.tsdbsuite.bulk.cli;

import org.jspecify.annotations.NullMarked;
