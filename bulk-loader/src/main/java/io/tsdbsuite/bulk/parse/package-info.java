/** Formats of points in text, one reader each. */
package io.tsdbsuite.bulk.parse;
