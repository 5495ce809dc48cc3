/**
 * The journal in the work directory. It records each finished step of a load on disk, so that a
 * resume continues where the last process ended.
 */
@NullMarked
package io.tsdbsuite.bulk.journal;

import org.jspecify.annotations.NullMarked;
