/**
 * The {@code plan} command: reads a sample of the input and estimates what a load would write and
 * why it would stop.
 */
@NullMarked
package io.tsdbsuite.bulk.plan;

import org.jspecify.annotations.NullMarked;
