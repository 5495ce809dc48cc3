/**
 * The UID table: rows and columns of both directions of the mapping, kinds of UIDs, and valid
 * names. Source: docs/storage.md 4.
 */
package io.tsdbsuite.format.uid;
