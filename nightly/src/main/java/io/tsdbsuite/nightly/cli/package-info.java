/** The command line of rollup-nightly. */
@NullMarked
package io.tsdbsuite.nightly.cli;

import org.jspecify.annotations.NullMarked;
