/** Hadoop's file systems: their settings, and their failures. */
@NullMarked
package io.tsdbsuite.nightly.storage;

import org.jspecify.annotations.NullMarked;
