/**
 * The quickstart: runs the whole flow on one machine, compares queries over raw data and over
 * rollups, and measures them. {@link io.tsdbsuite.quickstart.QuickstartRun} has the order of steps.
 */
@NullMarked
package io.tsdbsuite.quickstart;

import org.jspecify.annotations.NullMarked;
