/** Nights for which cron and AWS must plan the same runs. */
@NullMarked
package io.tsdbsuite.testkit.nights;

import org.jspecify.annotations.NullMarked;
