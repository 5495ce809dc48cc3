/** Synthetic points as text files: import lines, JSON, InfluxDB line protocol, Prometheus text. */
@NullMarked
package io.tsdbsuite.synthetic.text;

import org.jspecify.annotations.NullMarked;
