/** The command line of series-report. */
package io.tsdbsuite.meta.report.cli;
