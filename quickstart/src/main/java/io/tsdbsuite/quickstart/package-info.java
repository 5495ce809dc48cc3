/**
 * The quickstart: runs the whole flow on one machine, compares queries over raw data and over
 * rollups, and measures them. {@link io.tsdbsuite.quickstart.QuickstartRun} has the order of steps.
 */
package io.tsdbsuite.quickstart;
