/**
 * The {@code plan} command: reads a sample of the input and estimates what a load would write and
 * why it would stop.
 */
package io.tsdbsuite.bulk.plan;
