/**
 * The options of a run and the snapshots that it reads: loads them, refuses those that do not match
 * the options or lack points of the window, and plans the window.
 */
package io.tsdbsuite.rollup.input;
