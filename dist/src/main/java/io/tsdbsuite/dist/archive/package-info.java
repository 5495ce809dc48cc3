/** Writes trees of files as tar.gz, Debian and RPM packages: the same bytes from the same files. */
@NullMarked
package io.tsdbsuite.dist.archive;

import org.jspecify.annotations.NullMarked;
