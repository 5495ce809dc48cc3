/** The environment variables, checked all at once when a function starts. */
package io.tsdbsuite.trigger.config;
