/** Writes a report as table, CSV or JSON to a file or to standard output. */
@NullMarked
package io.tsdbsuite.report.write;

import org.jspecify.annotations.NullMarked;
