/** A night: two snapshots that belong together, by their names or by the exporter's marker. */
package io.tsdbsuite.trigger.night;
