/** Exit codes, and the exception that carries one with a message for the user. */
package io.tsdbsuite.bulk.error;
