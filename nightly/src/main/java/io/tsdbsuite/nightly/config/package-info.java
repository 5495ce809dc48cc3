/** The settings of rollup-nightly: a properties file, read with all its problems at once. */
@NullMarked
package io.tsdbsuite.nightly.config;

import org.jspecify.annotations.NullMarked;
