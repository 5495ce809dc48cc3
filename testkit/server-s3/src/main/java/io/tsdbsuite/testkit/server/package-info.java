/** Process that runs s3proxy for the testkit. */
@NullMarked
package io.tsdbsuite.testkit.server;

import org.jspecify.annotations.NullMarked;
