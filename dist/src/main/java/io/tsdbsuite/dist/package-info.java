/** Makes the distribution: what is in it, where each file goes, and the packages. */
@NullMarked
package io.tsdbsuite.dist;

import org.jspecify.annotations.NullMarked;
