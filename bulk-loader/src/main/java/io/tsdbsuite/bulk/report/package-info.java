/** Counters, rejected lines and the report of a load, as JSON and as a table. */
package io.tsdbsuite.bulk.report;
