/** What HBase's HFile classes need outside of a region server. */
package io.tsdbsuite.hbase;
