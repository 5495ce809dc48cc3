/** Process that runs HBase for the testkit. */
package io.tsdbsuite.testkit.server;
