/** A load from its beginning to its report: reading, writing, and going on after a kill. */
package io.tsdbsuite.bulk.run;
