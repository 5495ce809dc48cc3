/** What a load counts, and how it says so. */
package io.tsdbsuite.bulk.report;
