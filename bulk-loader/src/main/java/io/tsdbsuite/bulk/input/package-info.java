/**
 * Input files: listing, decompression, format detection, and division into units of work for
 * threads and tasks.
 */
@NullMarked
package io.tsdbsuite.bulk.input;

import org.jspecify.annotations.NullMarked;
