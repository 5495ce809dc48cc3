/**
 * The options of a run and the snapshots that it reads: loads them, refuses those that do not match
 * the options or lack points of the window, and plans the window.
 */
@NullMarked
package io.tsdbsuite.rollup.input;

import org.jspecify.annotations.NullMarked;
