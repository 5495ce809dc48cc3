/** The coverage table, read and written with HBase's client (docs/coverage.md). */
@NullMarked
package io.tsdbsuite.job.coverage;

import org.jspecify.annotations.NullMarked;
