/** {@code rollup-job load}: takes the HFiles of a run into HBase, checked before and after. */
package io.tsdbsuite.rollup.load;
