/**
 * The page at {@code /plugin/rollup-query/}: its resources, and the JSON that it shows. Everything
 * is for reading, and of bounded size.
 */
package io.tsdbsuite.query.page;
