/** The end of a job: its exception and its exit codes. */
@NullMarked
package io.tsdbsuite.job;

import org.jspecify.annotations.NullMarked;
