/**
 * Rounds of points for a running TSD: one point of each series at one timestamp, as put lines or as
 * the JSON of {@code /api/put}.
 */
@NullMarked
package io.tsdbsuite.synthetic.round;

import org.jspecify.annotations.NullMarked;
