/**
 * A query's way from its HTTP request to the answer, beside OpenTSDB's own: the same answers and
 * errors, with limits, and without waiting.
 */
package io.tsdbsuite.query.http;
