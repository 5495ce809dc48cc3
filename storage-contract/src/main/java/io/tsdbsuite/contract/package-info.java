/**
 * Generates rows of OpenTSDB's data table, valid and corrupt, for contract tests. The tests of this
 * module compare storage-format with OpenTSDB 2.4.1 over these rows; other modules reuse them.
 */
@NullMarked
package io.tsdbsuite.contract;

import org.jspecify.annotations.NullMarked;
