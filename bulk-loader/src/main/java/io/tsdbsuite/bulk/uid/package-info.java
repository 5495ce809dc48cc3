/** UIDs of names: looked up in the TSD's UID table, assigned by OpenTSDB's protocol, cached. */
@NullMarked
package io.tsdbsuite.bulk.uid;

import org.jspecify.annotations.NullMarked;
