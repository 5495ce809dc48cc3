/** Selection of series by metric, tags and time of the last point. */
package io.tsdbsuite.report.select;
