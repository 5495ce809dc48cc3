/** Which series a report is about. */
package io.tsdbsuite.report.select;
