/**
 * HTML pages with plots, each one file that loads nothing. Texts may be of foreign origin: they are
 * escaped.
 */
@NullMarked
package io.tsdbsuite.job.page;

import org.jspecify.annotations.NullMarked;
