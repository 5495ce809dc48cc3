/**
 * The days of the series of one metric in one salt bucket, while their rows go by hour after hour:
 * what they sum up to so far, and which of them cannot be whole.
 */
package io.tsdbsuite.rollup.day;
