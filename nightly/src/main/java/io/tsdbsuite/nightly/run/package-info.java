/** One run of rollup-nightly, step by step. */
@NullMarked
package io.tsdbsuite.nightly.run;

import org.jspecify.annotations.NullMarked;
