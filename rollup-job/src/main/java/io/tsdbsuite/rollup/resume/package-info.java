/** Going on where an earlier run ended: its report is read, and held against this run. */
package io.tsdbsuite.rollup.resume;
