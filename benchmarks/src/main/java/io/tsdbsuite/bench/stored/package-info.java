/** TSD plugins for benchmarks: they report stored points and change keys of a running TSD. */
@NullMarked
package io.tsdbsuite.bench.stored;

import org.jspecify.annotations.NullMarked;
