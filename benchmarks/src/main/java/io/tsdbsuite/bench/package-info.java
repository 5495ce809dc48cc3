/** JMH benchmarks of the hot paths; {@code make bench} runs them and writes docs/benchmarks.md. */
package io.tsdbsuite.bench;
