/**
 * Parts of a command line: main method, subcommands, the TSD's configuration, problems, version.
 */
package io.tsdbsuite.job.cli;
