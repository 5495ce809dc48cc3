/** Patterns of metric names, as in the option {@code --metrics}. */
package io.tsdbsuite.format.metric;
