/** Exit codes, and the exception that carries one with a message for the user. */
@NullMarked
package io.tsdbsuite.bulk.error;

import org.jspecify.annotations.NullMarked;
