/** JMH benchmarks of the hot paths; {@code make bench} runs them and writes docs/benchmarks.md. */
@NullMarked
package io.tsdbsuite.bench;

import org.jspecify.annotations.NullMarked;
