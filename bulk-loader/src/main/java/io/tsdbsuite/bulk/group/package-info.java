/** Points put together to hours of a series. */
package io.tsdbsuite.bulk.group;
