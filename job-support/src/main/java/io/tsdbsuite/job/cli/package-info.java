/** Parts of a command line: the TSD's configuration, problems with options, the version. */
package io.tsdbsuite.job.cli;
