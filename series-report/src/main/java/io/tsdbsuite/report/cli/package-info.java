/** The command line of series-report. */
@NullMarked
package io.tsdbsuite.report.cli;

import org.jspecify.annotations.NullMarked;
