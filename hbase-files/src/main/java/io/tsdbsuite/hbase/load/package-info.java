/** HFiles for a bulk load: one for each region that rows meet, and their way into HBase. */
package io.tsdbsuite.hbase.load;
