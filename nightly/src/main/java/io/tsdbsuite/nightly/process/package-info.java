/** Child processes, what a killed run has left of them, and the lock of a run. */
@NullMarked
package io.tsdbsuite.nightly.process;

import org.jspecify.annotations.NullMarked;
