/**
 * References to secrets in configuration files: {@code ${file:...}} and {@code ${aws-secret:...}}.
 */
@NullMarked
package io.tsdbsuite.job.secret;

import org.jspecify.annotations.NullMarked;
