/** Series between their names in the input and their row keys. */
@NullMarked
package io.tsdbsuite.bulk.series;

import org.jspecify.annotations.NullMarked;
