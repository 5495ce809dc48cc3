/** The keys of tsuid-ratelimiter in opentsdb.conf: read once, all problems reported at once. */
package io.tsdbsuite.meta.config;
