/**
 * Reading of one part of the input by several threads: one after the other cuts the text into
 * blocks, any thread parses them, and the points are handed over in the order of the input.
 */
@NullMarked
package io.tsdbsuite.bulk.parallel;

import org.jspecify.annotations.NullMarked;
