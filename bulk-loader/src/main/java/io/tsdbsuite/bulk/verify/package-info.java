/** Whether the table has what the input has. */
package io.tsdbsuite.bulk.verify;
