/**
 * Properties of the data table as HBase describes it, and the timestamps of the cells of a load.
 */
@NullMarked
package io.tsdbsuite.bulk.table;

import org.jspecify.annotations.NullMarked;
