/** The keys of rollup-query in opentsdb.conf: read once, all problems reported at once. */
package io.tsdbsuite.query.config;
