/**
 * Runs the same queries over raw data and over rollups: answers, their comparison, times and scan
 * cost.
 */
@NullMarked
package io.tsdbsuite.quickstart.query;

import org.jspecify.annotations.NullMarked;
