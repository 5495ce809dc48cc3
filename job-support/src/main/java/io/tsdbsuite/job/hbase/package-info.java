/** Configuration of HBase's client. */
package io.tsdbsuite.job.hbase;
