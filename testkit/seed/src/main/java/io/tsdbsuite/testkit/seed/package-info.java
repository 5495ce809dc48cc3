/** One seed for all tests that draw their data. */
package io.tsdbsuite.testkit.seed;
