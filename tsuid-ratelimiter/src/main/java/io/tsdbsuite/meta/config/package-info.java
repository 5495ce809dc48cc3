/** What opentsdb.conf says to tsuid-ratelimiter: read once, all problems told at once. */
package io.tsdbsuite.meta.config;
