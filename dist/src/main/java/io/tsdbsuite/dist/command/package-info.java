/** The commands of the suite, their man pages and their shell completion. */
@NullMarked
package io.tsdbsuite.dist.command;

import org.jspecify.annotations.NullMarked;
