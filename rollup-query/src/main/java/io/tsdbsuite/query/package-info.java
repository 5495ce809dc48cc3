/**
 * The TSD plugin that answers queries from the widest rollups that are proven to be stored: the
 * classes that opentsdb.conf names.
 *
 * <p>Documented in docs/rollup-query.md.
 */
package io.tsdbsuite.query;
