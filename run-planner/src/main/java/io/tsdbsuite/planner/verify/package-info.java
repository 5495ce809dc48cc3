/** Which rollups are verified after the runs, and with which options. */
@NullMarked
package io.tsdbsuite.planner.verify;

import org.jspecify.annotations.NullMarked;
