/** Writes a report as table, CSV or JSON to a file or to standard output. */
package io.tsdbsuite.report.write;
