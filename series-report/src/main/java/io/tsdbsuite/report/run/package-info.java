/** Runs a report: from rows to a writer, with books. */
@NullMarked
package io.tsdbsuite.report.run;

import org.jspecify.annotations.NullMarked;
