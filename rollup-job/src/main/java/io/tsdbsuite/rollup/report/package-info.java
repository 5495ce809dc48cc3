/**
 * The books of a run and the report made of them, as JSON and as a table: what was read, emitted,
 * skipped and failed, with the reasons. Also the identity and the fingerprint by which a resumed
 * run recognises the run it continues.
 */
@NullMarked
package io.tsdbsuite.rollup.report;

import org.jspecify.annotations.NullMarked;
