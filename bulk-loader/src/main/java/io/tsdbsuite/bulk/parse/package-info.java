/**
 * Parsers of points in text, one for each format. They report to a {@link
 * io.tsdbsuite.bulk.parse.PointHandler} and allocate nothing per point.
 */
@NullMarked
package io.tsdbsuite.bulk.parse;

import org.jspecify.annotations.NullMarked;
