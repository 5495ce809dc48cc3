/** The data table as HBase describes it, and the timestamps that cells of a load get. */
package io.tsdbsuite.bulk.table;
