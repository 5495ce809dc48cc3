/** Progress display of a load: a bar on a terminal, lines in a log. */
@NullMarked
package io.tsdbsuite.bulk.progress;

import org.jspecify.annotations.NullMarked;
