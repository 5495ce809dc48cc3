/** Process that runs OpenTSDB's TSD for the testkit. */
package io.tsdbsuite.testkit.server;
