/** What loading in bulk costs: the command as a user starts it, and its parts by themselves. */
package io.tsdbsuite.bench.bulk;
