/** The snapshots of the nights: taken and deleted on HBase, exported, and found. */
@NullMarked
package io.tsdbsuite.nightly.snapshot;

import org.jspecify.annotations.NullMarked;
