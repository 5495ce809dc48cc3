/** Process that runs s3proxy for the testkit. */
package io.tsdbsuite.testkit.server;
