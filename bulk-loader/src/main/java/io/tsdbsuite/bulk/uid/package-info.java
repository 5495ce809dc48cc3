/** UIDs of names: looked up in the TSD's UID table, assigned by OpenTSDB's protocol, cached. */
package io.tsdbsuite.bulk.uid;
