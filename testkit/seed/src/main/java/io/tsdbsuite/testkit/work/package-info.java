/** Counts the work of code under test, where a clock would measure the machine. */
@NullMarked
package io.tsdbsuite.testkit.work;

import org.jspecify.annotations.NullMarked;
