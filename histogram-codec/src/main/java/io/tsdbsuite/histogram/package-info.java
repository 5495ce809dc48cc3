/** The codec of {@link io.tsdbsuite.format.histogram.Sketch} for a TSD. */
package io.tsdbsuite.histogram;
