/** The same questions asked of raw data and of rollups: answers, comparison, times, cost. */
package io.tsdbsuite.quickstart.query;
