/**
 * The settings of the functions, read from environment variables. A function that starts reports
 * all invalid variables at once.
 */
@NullMarked
package io.tsdbsuite.trigger.config;

import org.jspecify.annotations.NullMarked;
