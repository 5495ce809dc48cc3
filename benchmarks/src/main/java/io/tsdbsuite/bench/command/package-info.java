/** The command line of all benchmarks. */
@NullMarked
package io.tsdbsuite.bench.command;

import org.jspecify.annotations.NullMarked;
