/**
 * Histograms: a sketch of values with a bound on the relative error of its percentiles, and merges
 * of histograms on their bytes. Source: docs/histogram-codec.md.
 */
package io.tsdbsuite.format.histogram;
