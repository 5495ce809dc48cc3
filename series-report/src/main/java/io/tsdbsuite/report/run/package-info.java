/** Runs a report: from rows to a writer, with books. */
package io.tsdbsuite.report.run;
