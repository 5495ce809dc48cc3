/**
 * Translates failures of libraries into text for messages: JSON parsers, and defects of this job.
 * Used by the packages that read files or call libraries.
 */
@NullMarked
package io.tsdbsuite.rollup.error;

import org.jspecify.annotations.NullMarked;
