/** Synthetic points as text files: import lines, JSON, InfluxDB line protocol, Prometheus text. */
package io.tsdbsuite.synthetic.text;
