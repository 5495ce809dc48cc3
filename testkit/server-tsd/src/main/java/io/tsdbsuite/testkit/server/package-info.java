/** Process that runs OpenTSDB's TSD for the testkit. */
@NullMarked
package io.tsdbsuite.testkit.server;

import org.jspecify.annotations.NullMarked;
