/** Writes the results as an HTML page with plots, which needs no network. */
@NullMarked
package io.tsdbsuite.quickstart.report;

import org.jspecify.annotations.NullMarked;
