/** Synthetic points as rows of the data table, encoded without a text in between. */
package io.tsdbsuite.synthetic.row;
