/** The exporter's marker object, which names the pair of snapshots of a night. */
@NullMarked
package io.tsdbsuite.trigger.night;

import org.jspecify.annotations.NullMarked;
