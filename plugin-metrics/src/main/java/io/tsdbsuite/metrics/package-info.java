/**
 * The statistics of a TSD plugin, which the TSD shows in /api/stats, in Prometheus's text format.
 */
package io.tsdbsuite.metrics;
