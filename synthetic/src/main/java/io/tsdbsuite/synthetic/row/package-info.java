/** Synthetic points as rows of the data table, encoded without a text in between. */
@NullMarked
package io.tsdbsuite.synthetic.row;

import org.jspecify.annotations.NullMarked;
