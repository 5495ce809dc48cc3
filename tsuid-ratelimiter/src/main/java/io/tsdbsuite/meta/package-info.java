/**
 * The TSD plugin that keeps when each series was last received, and counts its points; what
 * opentsdb.conf names is here.
 *
 * <p>Documented in docs/tsuid-ratelimiter.md.
 */
package io.tsdbsuite.meta;
