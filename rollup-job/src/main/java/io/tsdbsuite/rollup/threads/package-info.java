/** Threads for requests to storage and HBase. */
@NullMarked
package io.tsdbsuite.rollup.threads;

import org.jspecify.annotations.NullMarked;
