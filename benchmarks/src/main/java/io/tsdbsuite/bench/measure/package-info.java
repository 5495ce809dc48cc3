/** What the benchmarks that drive servers share. */
package io.tsdbsuite.bench.measure;
