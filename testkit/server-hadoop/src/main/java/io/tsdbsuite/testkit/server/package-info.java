/** Processes that run HDFS and YARN for the testkit. */
@NullMarked
package io.tsdbsuite.testkit.server;

import org.jspecify.annotations.NullMarked;
