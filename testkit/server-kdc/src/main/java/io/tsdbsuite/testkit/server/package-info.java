/** Processes that run a Kerberos KDC for the testkit. */
@NullMarked
package io.tsdbsuite.testkit.server;

import org.jspecify.annotations.NullMarked;
