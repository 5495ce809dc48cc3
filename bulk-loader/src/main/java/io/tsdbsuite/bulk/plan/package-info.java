/** What a load would do, from a sample of its input. */
package io.tsdbsuite.bulk.plan;
