/**
 * The TSD plugin that records when each series was last received, and counts its points: the
 * classes that opentsdb.conf names.
 *
 * <p>Documented in docs/tsuid-ratelimiter.md.
 */
package io.tsdbsuite.meta;
