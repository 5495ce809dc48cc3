/** Files of points: found, decompressed, and cut into units of work. */
package io.tsdbsuite.bulk.input;
