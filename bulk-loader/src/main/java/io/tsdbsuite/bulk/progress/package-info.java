/** Progress display of a load: a bar on a terminal, lines in a log. */
package io.tsdbsuite.bulk.progress;
