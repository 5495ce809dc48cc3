/**
 * Names of a source that become names of OpenTSDB: replaced characters, added and renamed tags, a
 * mapping file, and names that must not become one.
 */
@NullMarked
package io.tsdbsuite.bulk.names;

import org.jspecify.annotations.NullMarked;
