/**
 * Writes due series to the meta table: content of the writes, in-flight limit, retries, and the
 * flush when the TSD stops.
 */
package io.tsdbsuite.meta.write;
