/**
 * Input files: listing, decompression, format detection, and division into units of work for
 * threads and tasks.
 */
package io.tsdbsuite.bulk.input;
