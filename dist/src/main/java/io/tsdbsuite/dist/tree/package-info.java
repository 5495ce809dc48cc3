/** The files of an archive before it is written: paths, contents and permissions. */
@NullMarked
package io.tsdbsuite.dist.tree;

import org.jspecify.annotations.NullMarked;
