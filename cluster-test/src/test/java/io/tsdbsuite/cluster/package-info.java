/** Tests of all jobs on real HDFS, YARN and several region servers. */
package io.tsdbsuite.cluster;
