/** Rows of module {@code synthetic} as rows to write, with their points counted. */
@NullMarked
package io.tsdbsuite.bulk.generate;

import org.jspecify.annotations.NullMarked;
