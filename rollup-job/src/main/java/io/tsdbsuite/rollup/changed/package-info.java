/**
 * Searches a snapshot on Spark for rows before the window that have changed since a time, and plans
 * partitions that roll them up again. Called by {@code job}.
 */
package io.tsdbsuite.rollup.changed;
