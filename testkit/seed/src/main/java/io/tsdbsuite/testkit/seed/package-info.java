/** One reproducible seed for all tests with random data, printed with each failing test. */
@NullMarked
package io.tsdbsuite.testkit.seed;

import org.jspecify.annotations.NullMarked;
