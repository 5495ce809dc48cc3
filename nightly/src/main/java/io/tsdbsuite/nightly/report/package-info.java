/**
 * The reports of rollup-job and its commands, which say what is done, and the report of a night.
 */
@NullMarked
package io.tsdbsuite.nightly.report;

import org.jspecify.annotations.NullMarked;
