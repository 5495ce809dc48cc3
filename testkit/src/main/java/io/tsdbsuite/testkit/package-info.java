/** Real HBase, TSD, Kafka and S3 servers on loopback for tests: see docs/testkit.md. */
package io.tsdbsuite.testkit;
