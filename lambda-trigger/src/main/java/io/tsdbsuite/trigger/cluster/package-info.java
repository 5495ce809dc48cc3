/** The instances of an EMR cluster. */
@NullMarked
package io.tsdbsuite.trigger.cluster;

import org.jspecify.annotations.NullMarked;
