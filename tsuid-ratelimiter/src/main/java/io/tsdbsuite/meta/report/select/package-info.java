/** Which series a report is about. */
package io.tsdbsuite.meta.report.select;
