/**
 * The {@code plan} command: reads a sample of the input, estimates the rows of a load, and tells
 * why a load would stop.
 */
@NullMarked
package io.tsdbsuite.bulk.plan;

import org.jspecify.annotations.NullMarked;
