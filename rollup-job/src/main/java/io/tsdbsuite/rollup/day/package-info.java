/**
 * The sums of one day for the series of one metric in one salt bucket. Rows arrive hour by hour;
 * the package keeps the sum so far of each series and marks series with unreadable rows, whose day
 * would be incomplete. Used by {@code compute}; the sums live in arrays to bound the heap of a
 * task.
 */
@NullMarked
package io.tsdbsuite.rollup.day;

import org.jspecify.annotations.NullMarked;
