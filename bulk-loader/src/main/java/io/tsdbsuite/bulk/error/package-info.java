/** Classification of unexpected failures: outside systems, or defects of the loader. */
@NullMarked
package io.tsdbsuite.bulk.error;

import org.jspecify.annotations.NullMarked;
