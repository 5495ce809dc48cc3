/** The page with plots. */
package io.tsdbsuite.quickstart.report;
