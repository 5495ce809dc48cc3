/**
 * Searches a snapshot on Spark for rows before the window that have changed since a time, and plans
 * partitions that roll them up again. Called by {@code job}.
 */
@NullMarked
package io.tsdbsuite.rollup.changed;

import org.jspecify.annotations.NullMarked;
