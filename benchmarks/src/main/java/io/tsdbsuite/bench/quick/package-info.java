/**
 * {@code make bench-quick}: ratios of CPU, the first way to do some work over the suite's, with the
 * values of an earlier run beside them.
 */
@NullMarked
package io.tsdbsuite.bench.quick;

import org.jspecify.annotations.NullMarked;
