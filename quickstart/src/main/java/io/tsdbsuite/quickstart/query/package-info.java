/**
 * Runs the same queries over raw data and over rollups: answers, their comparison, times and scan
 * cost.
 */
package io.tsdbsuite.quickstart.query;
