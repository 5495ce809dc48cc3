/** A plugin for the TSDs of benchmarks: what they have stored. */
package io.tsdbsuite.bench.stored;
