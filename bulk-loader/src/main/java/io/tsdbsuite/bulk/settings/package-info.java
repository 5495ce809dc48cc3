/** Settings of a load, read from options and from the TSD's configuration. */
@NullMarked
package io.tsdbsuite.bulk.settings;

import org.jspecify.annotations.NullMarked;
