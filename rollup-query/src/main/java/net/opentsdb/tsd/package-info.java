/**
 * Access to package-private classes of OpenTSDB's HTTP server: {@link
 * net.opentsdb.tsd.RollupQueryRoutes}.
 */
package net.opentsdb.tsd;
