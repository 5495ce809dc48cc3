/**
 * Which sub-queries rollups can answer exactly, and from which tables they read which times. Knows
 * no HBase.
 */
package io.tsdbsuite.query.plan;
