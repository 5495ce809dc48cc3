/** UIDs of names: found in the TSD's table, assigned by the TSD's protocol, remembered. */
package io.tsdbsuite.bulk.uid;
