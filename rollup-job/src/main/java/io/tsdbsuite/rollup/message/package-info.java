/** The messages that carry rollups, specified in docs/rollup-message.md. */
package io.tsdbsuite.rollup.message;
