/** The report of a load as a page with plots. */
@NullMarked
package io.tsdbsuite.bulk.page;

import org.jspecify.annotations.NullMarked;
