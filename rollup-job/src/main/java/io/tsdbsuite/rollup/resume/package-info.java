/**
 * Resumes an earlier run: reads its report and checks that snapshots, options, destination and plan
 * are the same. Called by {@code cli} and {@code job} before a run starts.
 */
@NullMarked
package io.tsdbsuite.rollup.resume;

import org.jspecify.annotations.NullMarked;
