/** The names of the nightly snapshots of OpenTSDB's tables. */
package io.tsdbsuite.format.snapshot;
