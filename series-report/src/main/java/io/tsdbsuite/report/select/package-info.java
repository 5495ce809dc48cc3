/** Selection of series by metric, tags and time of the last point. */
@NullMarked
package io.tsdbsuite.report.select;

import org.jspecify.annotations.NullMarked;
