/**
 * A night is the pair of snapshots, data and UID table, that one run of the exporter exports. The
 * snapshots are paired by the date in their names, or by the exporter's marker object.
 */
@NullMarked
package io.tsdbsuite.trigger.night;

import org.jspecify.annotations.NullMarked;
