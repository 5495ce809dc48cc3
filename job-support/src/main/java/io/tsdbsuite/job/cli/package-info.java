/**
 * Parts of a command line: main method, subcommands, the TSD's configuration, problems, version.
 */
@NullMarked
package io.tsdbsuite.job.cli;

import org.jspecify.annotations.NullMarked;
