/** Counters, rejected lines and the report of a load, as JSON and as a table. */
@NullMarked
package io.tsdbsuite.bulk.report;

import org.jspecify.annotations.NullMarked;
