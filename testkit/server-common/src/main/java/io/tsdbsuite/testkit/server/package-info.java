/**
 * The child processes of the testkit: one launcher for each kind of server, and the protocol
 * between a launcher and the test JVM.
 */
@NullMarked
package io.tsdbsuite.testkit.server;

import org.jspecify.annotations.NullMarked;
