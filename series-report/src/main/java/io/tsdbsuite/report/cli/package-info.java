/** The command line of series-report. */
package io.tsdbsuite.report.cli;
