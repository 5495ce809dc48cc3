/** Writes the results as an HTML page with plots, which needs no network. */
package io.tsdbsuite.quickstart.report;
