/**
 * The commands of rollup-job: options with their checks, and exit codes. A class of options
 * declares a group of them and reads them into the record of the job; a command reads its groups,
 * prints all problems at once, or works.
 */
@NullMarked
package io.tsdbsuite.rollup.cli;

import org.jspecify.annotations.NullMarked;
